/** A here-document of RUN, COPY or ADD. Variables in it are expanded unless its delimiter was quoted. */
type Heredoc = { delimiter: string; isQuoted: boolean; content: string }

/** One instruction. `text` is everything after keyword and flags, on one line. `line` counts from 1. */
export type Instruction = {
  line: number
  keyword: string
  flags: ReadonlyMap<string, string>
  text: string
  heredocs: readonly Heredoc[]
}

export class DockerfileFault extends Error {
  constructor(line: number, reason: string, file = 'the Dockerfile') {
    super(`line ${line} of ${file} ${reason}`)
    this.name = 'DockerfileFault'
  }
}

const withHeredocs = new Set(['RUN', 'COPY', 'ADD'])
const maxInstructions = 2000
const heredocStart = /<<(-?)(["']?)([A-Za-z_][\w.]*)\2/g

/** Splits a Dockerfile into its instructions. */
export function parseDockerfile(source: string): Instruction[] {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/)
  const escape = escapeOf(lines)
  const isContinued = (text: string) => new RegExp(`${escape === '`' ? '`' : '\\\\'}[ \\t]*$`).test(text)
  const instructions: Instruction[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const first = at
    if (isSkipped(lines[at])) continue
    if (instructions.length === maxInstructions)
      throw new DockerfileFault(first + 1, `exceeds the limit of ${maxInstructions} instructions`)
    const parts: string[] = []
    let part = lines[at] ?? ''
    while (isContinued(part) && at + 1 < lines.length) {
      at += 1
      // Comments and empty lines inside an instruction are left out.
      if (isSkipped(lines[at])) continue
      parts.push(dropLast(part, escape))
      part = lines[at] ?? ''
    }
    parts.push(isContinued(part) ? dropLast(part, escape) : part)
    const instruction = toInstruction(parts.join(''), first + 1)
    const { heredocs, next } = readHeredocs(instruction, lines, at + 1)
    at = next - 1
    instructions.push({ ...instruction, heredocs })
  }
  return instructions
}

const isSkipped = (line = '') => /^\s*(#|$)/.test(line)

const dropLast = (text: string, character: string) => text.slice(0, text.lastIndexOf(character))

/** Parser directives are comments before everything else. */
function escapeOf(lines: readonly string[]) {
  for (const line of lines) {
    const [, name, value] = /^#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (name === undefined) return '\\'
    if (name.toLowerCase() === 'escape' && value === '`') return '`'
  }
  return '\\'
}

function toInstruction(text: string, line: number): Omit<Instruction, 'heredocs'> {
  const [, keyword, rest = ''] = /^\s*([A-Za-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  if (keyword === undefined) throw new DockerfileFault(line, 'does not start with an instruction')
  const flags = new Map<string, string>()
  let left = rest.trim()
  for (let flag = nextFlag(left); flag; flag = nextFlag(left)) {
    flags.set(flag[1] ?? '', flag[2] ?? '')
    left = left.slice(flag[0].length)
  }
  return { line, keyword: keyword.toUpperCase(), flags, text: left }
}

const nextFlag = (text: string) => /^--([a-z][a-z-]*)(?:=(\S*))?(?:\s+|$)/.exec(text)

function readHeredocs({ keyword, text, line }: Omit<Instruction, 'heredocs'>, lines: readonly string[], from: number) {
  const heredocs: Heredoc[] = []
  let next = from
  for (const [, dash, quote, delimiter = ''] of withHeredocs.has(keyword) ? text.matchAll(heredocStart) : []) {
    const strip = (content: string) => (dash === '-' ? content.replace(/^\t+/, '') : content)
    let end = next
    while (end < lines.length && strip(lines[end] ?? '') !== delimiter) end += 1
    if (end === lines.length) throw new DockerfileFault(line, `has a here-document that ${delimiter} never ends`)
    const content = lines.slice(next, end).map((each) => `${strip(each)}\n`)
    heredocs.push({ delimiter, isQuoted: quote !== '', content: content.join('') })
    next = end + 1
  }
  return { heredocs, next }
}

/** Returns the list of an instruction in JSON form, or null for the form of the shell. */
export function jsonList(text: string): string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : null
  } catch {
    return null
  }
}
