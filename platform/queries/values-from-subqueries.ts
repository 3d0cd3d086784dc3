import { columnsOf } from '#platform/analytics/schema.ts'
import { setFunction } from './allowed-names.ts'
import { nameOf, type SyntaxNode } from './syntax-tree.ts'

/**
 * Whether a statement takes values from a subquery, as `(SELECT …)` in an expression or `x IN …`. To explain such a
 * statement the engine executes the subquery: its plan depends on what comes out.
 */
export function takesValuesFromSubqueries(node: SyntaxNode, parent: SyntaxNode | null = null): boolean {
  if (node.kind === 'Subquery' && parent?.kind !== 'TableExpression' && parent?.kind !== 'WithElement') return true
  // A name there may be that of a subquery.
  if (setOf(node)?.kind === 'Identifier') return true
  return node.children.some((child) => takesValuesFromSubqueries(child, node))
}

/** What stands right of an IN. */
export const setOf = (node: SyntaxNode) =>
  node.kind === 'Function' && setFunction.test(nameOf(node)) ? node.children[0]?.children[1] : undefined

/** A statement that reads every table as often as this one names it, whole. */
export const readingOfTables = (root: SyntaxNode) =>
  tablesOf(root)
    .map((table) => `SELECT 1 FROM ${table}`)
    .join(' UNION ALL ') || 'SELECT 1'

const tablesOf = (node: SyntaxNode): string[] => [...tableNamedBy(node), ...node.children.flatMap(tablesOf)]

function tableNamedBy(node: SyntaxNode): string[] {
  const named = node.kind === 'TableIdentifier' ? node : setOf(node)
  const name = named ? nameOf(named) : ''
  return Object.hasOwn(columnsOf, name) ? [name] : []
}
