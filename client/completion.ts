import { Argument } from 'commander'

import type { Io } from './io.ts'
import type { Commands } from './work.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

type Words = { name: string; description: string; options: string[] }[]

/** `assay completion bash`: a script that completes the commands and their options, made from the commands themselves. */
export function addCompletion({ program }: Commands, io: Io) {
  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => {
      const words = program.commands.map((command) => ({
        name: command.name(),
        description: command.description(),
        options: ['--help', ...command.options.flatMap(({ long }) => long ?? [])],
      }))
      io.out(scripts[shell](words))
    })
}

const bash = (words: Words) => `_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" known=""
  if [ "$COMP_CWORD" -eq 1 ]; then known="${words.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${words.map(({ name, options }) => `      ${name}) known="${options.join(' ')}" ;;`).join('\n')}
    esac
  fi
  if [[ "$COMP_CWORD" -gt 1 && "$word" != -* ]]; then COMPREPLY=($(compgen -f -- "$word"))
  else COMPREPLY=($(compgen -W "$known" -- "$word")); fi
}
complete -o filenames -F _assay assay
`

const quoted = (text: string) => text.replaceAll("'", '’').replaceAll(':', ' ')

const zsh = (words: Words) => `#compdef assay
_assay() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${words.map(({ name, description }) => `      '${name}:${quoted(description)}'`).join('\n')}
    )
    _describe command commands
  elif [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2]" in
${words.map(({ name, options }) => `      ${name}) compadd -- ${options.join(' ')} ;;`).join('\n')}
    esac
  else _files; fi
}
compdef _assay assay
`

const fish = (words: Words) =>
  words
    .flatMap(({ name, description, options }) => [
      `complete -c assay -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
      ...options.map((option) => `complete -c assay -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
    ])
    .join('\n')
    .concat('\n')

const scripts: Record<Shell, (words: Words) => string> = { bash, zsh, fish }
