import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The script of a shell that completes the arguments of `hearth`: what ArgumentParser writes, and
/// what it leaves out: commands with a colon in bash, and the command of `exec`.
struct CompletionScript {
  let text: String

  /// Nil where the arguments ask for something else, or for a shell that is not known.
  init?(
    asked arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    guard arguments.first == "--generate-completion-script", arguments.count <= 2 else {
      return nil
    }
    let login = environment["SHELL"]?.split(separator: "/").last.map(String.init)
    guard let name = arguments.dropFirst().first ?? login,
      let shell = CompletionShell(rawValue: name)
    else { return nil }
    let script = HearthCommand.completionScript(for: shell)
    switch name {
    case "bash": text = Self.bash(script)
    case "zsh": text = Self.zsh(script)
    default: text = script + "\n" + Self.fishCommand
    }
  }

  // MARK: bash

  private static func bash(_ script: String) -> String {
    // The last line of what is generated.
    guard let range = script.ranges(of: "complete -o filenames -F _hearth hearth").last else {
      return script
    }
    return script[..<range.lowerBound] + bashWrapper
      + "complete -o filenames -F _hearth_words hearth" + script[range.upperBound...]
  }

  /// Bash splits words at colons. It is given the words without that, and an answer without what
  /// comes before the colon.
  private static let bashWrapper = #"""
    _hearth_words() {
        local -a COMP_WORDS=("${COMP_WORDS[@]}")
        local -i COMP_CWORD="${COMP_CWORD}"
        local cur="${2}" prev="${3}"
        local -i has_colon=0 index

        local group=
        case "${COMP_WORDS[1]}" in emulators | auth) group="${COMP_WORDS[1]}:" ;; esac
        if [[ -n "${group}" && "${COMP_WORDS[2]}" = : && "${COMP_CWORD}" -gt 1 ]]; then
            local -i width=3
            [[ "${COMP_CWORD}" -eq 2 ]] && width=2
            local joined="${group}${COMP_WORDS[3]}"
            [[ "${width}" -eq 2 ]] && joined="${group}"
            COMP_WORDS=("${COMP_WORDS[0]}" "${joined}" "${COMP_WORDS[@]:1 + ${width}}")
            if [[ "${COMP_CWORD}" -le 3 ]]; then
                COMP_CWORD=1
                cur="${joined}" prev="${COMP_WORDS[0]}" has_colon=1
            else
                COMP_CWORD=$((COMP_CWORD - 2))
                [[ "${COMP_CWORD}" -eq 2 ]] && prev="${COMP_WORDS[1]}"
            fi
        fi

        if [[ "${COMP_WORDS[1]}" = exec ]]; then
            for ((index = 2; index < COMP_CWORD; index++)); do
                [[ "${COMP_WORDS[index]}" = -- ]] || continue
                if ((index + 1 < COMP_CWORD)) && declare -F _command_offset > /dev/null; then
                    _command_offset "$((index + 1))"
                elif ((index + 1 < COMP_CWORD)); then
                    COMPREPLY=($(compgen -f -- "${cur}"))
                else
                    COMPREPLY=($(compgen -c -- "${cur}"))
                fi
                return
            done
        fi

        _hearth "${1}" "${cur}" "${prev}"
        ((has_colon)) && COMPREPLY=("${COMPREPLY[@]#${group}}")
    }


    """#

  // MARK: zsh

  private static func zsh(_ script: String) -> String {
    let start = "_hearth_exec() {\n"
    guard let range = script.firstRange(of: start) else { return script }
    return script[..<range.upperBound] + zshCommand + script[range.upperBound...]
  }

  private static let zshCommand = #"""
        # After the dashes are the words of another command.
        local -i dashes="${words[(i)--]}"
        if (( dashes < CURRENT )); then
            shift "${dashes}" words
            (( CURRENT -= dashes ))
            _normal
            return
        fi


    """#

  // MARK: fish

  private static let fishCommand = #"""
    function __hearth_is_after_dashes
        set -l words (commandline -opc)
        test (count $words) -gt 2; and test $words[2] = exec; and contains -- -- $words
    end

    function __hearth_command
        set -l words (commandline -opc)
        set -e words[1..(contains -i -- -- $words)]
        complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
    end

    complete -c hearth -n __hearth_is_after_dashes -x -a '(__hearth_command)'
    """#
}
