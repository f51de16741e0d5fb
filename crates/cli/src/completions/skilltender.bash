# Completes skilltender: the program itself says what the word at the cursor may be.
_skilltender() {
    local word=${COMP_WORDS[COMP_CWORD]} line
    COMPREPLY=()
    # Bash takes an equals sign for a word; what stands behind it begins a new one.
    [[ $word == = ]] && word=
    while IFS= read -r line; do
        printf -v line %q "${line%%$'\t'*}"
        COMPREPLY+=("$line")
    done < <(command skilltender complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "${word//\\/}" 2>/dev/null)
}
# Where it says nothing, files are offered.
complete -o bashdefault -o default -F _skilltender skilltender
