/** A node of a statement's syntax tree as `EXPLAIN AST` prints it. `detail` is the text after the kind on its line. */
export type SyntaxNode = { kind: string; detail: string; children: SyntaxNode[] }

/** The name of a node without its alias. */
export const nodeName = ({ detail }: SyntaxNode) => detail.split(' ')[0] ?? ''

const maxNodes = 5000
const maxDepth = 200

/**
 * Parses the lines of `EXPLAIN AST` into their root nodes. Returns null if they are not what the engine prints: an
 * indentation that skips a level, a wrong count of children, too many nodes or levels. A name with line breaks cannot
 * forge nodes without making a count wrong.
 */
export function readSyntaxTree(lines: readonly string[]): SyntaxNode[] | null {
  const roots: SyntaxNode[] = []
  const open: { node: SyntaxNode; missing: number }[] = []
  if (lines.length > maxNodes) return null
  for (const line of lines) {
    const parsed = /^( *)([A-Za-z:]+)(?: (.*))?$/s.exec(line)
    if (!parsed) return null
    const [, indentation = '', kind = '', rest = ''] = parsed
    const depth = indentation.length
    if (depth > open.length || depth > maxDepth) return null
    if (open.splice(depth).some(({ missing }) => missing !== 0)) return null
    const [, detail = rest, count = '0'] = /^(.*?) ?\(children (\d+)\)$/s.exec(rest) ?? []
    const node: SyntaxNode = { kind, detail, children: [] }
    const parent = open.at(-1)
    if (parent) parent.missing -= 1
    ;(parent?.node.children ?? roots).push(node)
    open.push({ node, missing: Number(count) })
  }
  return open.some(({ missing }) => missing !== 0) ? null : roots
}
