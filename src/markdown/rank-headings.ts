/** The parts of a markdown tree that are used here. */
type Node = { type: string; depth?: number; children?: Node[] }

/**
 * Gives the headings of a text levels from 1 on without gaps, whatever levels its author began with or left out, so that
 * they continue the headings of the page. Deeper than its last heading is always the next level.
 */
export const rankHeadings = () => (tree: Node) => {
  const open: number[] = []
  const visit = (node: Node) => {
    if (node.type === 'heading' && node.depth !== undefined) {
      while ((open.at(-1) ?? 0) >= node.depth) open.pop()
      open.push(node.depth)
      node.depth = open.length
    }
    node.children?.forEach(visit)
  }
  visit(tree)
}
