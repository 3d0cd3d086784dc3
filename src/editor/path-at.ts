import { yamlLanguage } from '@codemirror/lang-yaml'

/** The path at a cursor in YAML that is being edited and therefore often incomplete. */
export type CursorPlace = {
  /** The collection around the cursor, or for a value the path of its key; every list item is 0. */
  path: (string | 0)[]
  writes: 'key' | 'value'
  /** The start of the word before the cursor. */
  from: number
}

type SyntaxNode = ReturnType<typeof yamlLanguage.parser.parse>['topNode']

/** Completes the word at the cursor, as a key where a line starts, and reads the syntax tree around it. */
export function pathAt(text: string, offset: number): CursorPlace | null {
  const section = text.slice(0, offset).split(topLevelKey).at(-1) ?? ''
  const line = section.slice(section.lastIndexOf('\n') + 1)
  const written = line.replace(/^(\s*-(?=\s|$))*\s*/, '')
  const word = /[\w.-]*$/.exec(written)?.[0] ?? ''
  const before = /(^|\s)-$|:$/.test(line) ? `${section} ` : section
  // The bracket closes a list that is still open on this line. Otherwise the parser reads it as text.
  const completed = `${before}${written === word ? 'x: x' : 'x'} ]`
  const node = yamlLanguage.parser.parse(completed).resolveInner(before.length + 1, -1)
  if (!/^(Quoted)?Literal$/.test(node.name)) return null
  const path = stepsTo(node, completed)
  const isKey = node.parent?.name === 'Key'
  if (isKey && !/(^|[{,]\s*)$/.test(written.slice(0, written.length - word.length))) return null
  return { path: isKey ? path.slice(0, -1) : path, writes: isKey ? 'key' : 'value', from: offset - word.length }
}

/** Parses only the section around the cursor, because a long definition has many. */
const topLevelKey = /^(?=[\w"'])/m

function stepsTo(node: SyntaxNode, text: string): (string | 0)[] {
  const steps: (string | 0)[] = []
  for (let outer = node.parent; outer; outer = outer.parent) {
    const key = outer.getChild('Key')?.firstChild
    if (outer.name === 'Item') steps.unshift(0)
    // While a bracket is open, the parser may read a whole collection as a key.
    if (key && key.name.endsWith('Literal')) steps.unshift(text.slice(key.from, key.to).replaceAll(/^["']|["']$/g, ''))
  }
  return steps
}
