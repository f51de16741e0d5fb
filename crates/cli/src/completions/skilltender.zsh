#compdef skilltender
# Completes skilltender: the program itself says what the word at the cursor may be.
_skilltender() {
    local line
    local -a found
    for line in ${(f)"$(command skilltender complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
        found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    # Where it says nothing, files are offered.
    if (( $#found )); then
        _describe -V skilltender found
    else
        _files
    fi
}
if [[ $funcstack[1] == _skilltender ]]; then
    _skilltender "$@"
else
    compdef _skilltender skilltender
fi
