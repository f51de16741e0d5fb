# Completes skilltender: the program itself says what the word at the cursor may be.
function __skilltender_words
    set -l words (commandline -opc) (commandline -ct)
    set -l found (command skilltender complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        # Where it says nothing, files are offered.
        __fish_complete_path (commandline -ct)
    end
end
complete -c skilltender -f -a '(__skilltender_words)'
