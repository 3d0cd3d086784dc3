import { columnsOf } from '#platform/analysis/analytics/create-tables.ts'
import { setFunction } from './allowed-names.ts'
import { nodeName, type SyntaxNode } from './syntax-tree.ts'

/**
 * Whether a statement takes values from a subquery, such as `(SELECT …)` in an expression or `x IN …`. To explain such
 * a statement, the engine executes the subquery, because its plan depends on the result.
 */
export function readsValuesFromSubqueries(node: SyntaxNode, parent: SyntaxNode | null = null): boolean {
  if (node.kind === 'Subquery' && parent?.kind !== 'TableExpression' && parent?.kind !== 'WithElement') return true
  // A name here may refer to a subquery.
  if (rightSideOfIn(node)?.kind === 'Identifier') return true
  return node.children.some((child) => readsValuesFromSubqueries(child, node))
}

/** Returns the right side of an IN. */
export const rightSideOfIn = (node: SyntaxNode) =>
  node.kind === 'Function' && setFunction.test(nodeName(node)) ? node.children[0]?.children[1] : undefined

/** Returns a statement that reads each table completely, as often as this statement names it. */
export const fullScanOf = (root: SyntaxNode) =>
  tablesOf(root)
    .map((table) => `SELECT 1 FROM ${table}`)
    .join(' UNION ALL ') || 'SELECT 1'

const tablesOf = (node: SyntaxNode): string[] => [...tableNamedBy(node), ...node.children.flatMap(tablesOf)]

function tableNamedBy(node: SyntaxNode): string[] {
  const named = node.kind === 'TableIdentifier' ? node : rightSideOfIn(node)
  const name = named ? nodeName(named) : ''
  return Object.hasOwn(columnsOf, name) ? [name] : []
}
