import { Argument, type Command } from 'commander'

import type { Io } from './io.ts'
import type { Commands } from './work.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** `values` are the only ones that the option or the first argument can have; without any, it may be a file. */
type Words = {
  name: string
  description: string
  options: { flag: string; description: string; takesValue: boolean; values: readonly string[] }[]
  values: readonly string[]
}[]

/** `assay completion bash`: a script that completes the commands and their options, made from the commands themselves. */
export function addCompletion({ program }: Commands, io: Io) {
  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => io.out(scripts[shell](wordsOf(program))))
}

function wordsOf({ commands }: Command): Words {
  const help = { name: 'help', description: 'show the options of a command', options: [] }
  return [...commands.map(describe), { ...help, values: commands.map((command) => command.name()) }]
}

/** A command with commands of its own, such as `report append`, has theirs as the values of its first argument. */
function describe(command: Command): Words[number] {
  const own = command.commands
  return {
    name: command.name(),
    description: command.description(),
    options: [command, ...own].flatMap(({ options }) =>
      options.flatMap(({ long, description, required, argChoices = [] }) =>
        long ? { flag: long, description, takesValue: required, values: argChoices } : [],
      ),
    ),
    values: own.length > 0 ? own.map((each) => each.name()) : (command.registeredArguments[0]?.argChoices ?? []),
  }
}

/** What may follow the two words, as "export --format" or "completion completion" for the first argument of a command. */
const valuesAfter = (words: Words) =>
  words.flatMap(({ name, options, values }) =>
    [{ flag: name, values }, ...options]
      .filter((each) => each.values.length > 0)
      .map((each) => ({ before: `${name} ${each.flag}`, values: each.values.join(' ') })),
  )

const bash = (words: Words) => `_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" known=""
  if [ "$COMP_CWORD" -eq 1 ]; then known="${words.map(({ name }) => name).join(' ')} --help"
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${valuesAfter(words)
  .map(({ before, values }) => `      '${before}') known="${values}" ;;`)
  .join('\n')}
    esac
    if [[ -z "$known" && "$word" == -* ]]; then
      case "\${COMP_WORDS[1]}" in
${words.map(({ name, options }) => `        ${name}) known="${[...options.map(({ flag }) => flag), '--help'].join(' ')}" ;;`).join('\n')}
      esac
    fi
  fi
  if [ -n "$known" ]; then COMPREPLY=($(compgen -W "$known" -- "$word"))
  else
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _assay assay
`

const quoted = (text: string) => text.replaceAll("'", '’')

const zshList = (entries: readonly { name: string; description: string }[]) =>
  entries.map(({ name, description }) => `'${name}:${quoted(description).replaceAll(':', '\\:')}'`).join(' ')

const zsh = (words: Words) => `#compdef assay
_assay() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(${zshList(words)})
    _describe command found
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${valuesAfter(words)
  .map(({ before, values }) => `    '${before}') compadd -- ${values}; return ;;`)
  .join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2]" in
${words
  .map(({ name, options }) => {
    const entries = options.map(({ flag, description }) => ({ name: flag, description }))
    return `      ${name}) found=(${zshList([...entries, { name: '--help', description: 'show help' }])}) ;;`
  })
  .join('\n')}
    esac
    _describe -o option found
  else _files; fi
}
compdef _assay assay
`

const fish = (words: Words) =>
  words
    .flatMap(({ name, description, options, values }) => {
      const after = `complete -c assay -n '__fish_seen_subcommand_from ${name}'`
      return [
        `complete -c assay -n __fish_use_subcommand -f -a ${name} -d '${quoted(description)}'`,
        ...(values.length > 0 ? [`${after} -f -a '${values.join(' ')}'`] : []),
        ...options.map((option) => {
          const value =
            option.values.length > 0 ? ` -x -a '${option.values.join(' ')}'` : option.takesValue ? ' -r' : ''
          return `${after} -l ${option.flag.slice(2)}${value} -d '${quoted(option.description)}'`
        }),
      ]
    })
    .join('\n')
    .concat('\n')

const scripts: Record<Shell, (words: Words) => string> = { bash, zsh, fish }
