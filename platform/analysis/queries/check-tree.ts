import { columnsOf } from '#platform/analysis/analytics/create-tables.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { isAllowedFunction, numberTables, plainName } from './allowed-names.ts'
import { refuseSql, refuseUnknownTable } from './query-error.ts'
import type { Statement } from './read-statement.ts'
import { rightSideOfIn } from './values-from-subqueries.ts'
import { nodeName, readSyntaxTree, type SyntaxNode } from './syntax-tree.ts'

const allowedKinds = new Set(
  `ArrayJoin Asterisk ColumnsApplyTransformer ColumnsExceptTransformer ColumnsListMatcher ColumnsRegexpMatcher
   ColumnsReplaceTransformer ColumnsReplaceTransformer::Replacement ColumnsTransformerList ExpressionList Function Identifier
   InterpolateElement Literal OrderByElement QualifiedAsterisk QualifiedColumnsListMatcher QualifiedColumnsRegexpMatcher
   SelectIntersectExceptQuery SelectQuery SelectWithUnionQuery Subquery TableExpression TableIdentifier TableJoin
   TablesInSelectQuery TablesInSelectQueryElement WindowDefinition WindowListElement WithElement`.split(/\s+/),
)

/**
 * Checks the engine's own syntax tree of the statement that will run (the second check): it must contain exactly what
 * the grammar found. `lines` is the output of `EXPLAIN AST`. Returns the tree. Errors: `invalid_argument`.
 */
export function checkTree(lines: readonly string[], statement: Statement, sql: string): SyntaxNode {
  const roots = readSyntaxTree(lines)
  if (!roots) throw invalid('The statement is too deep or too large to check; make it smaller')
  const [root] = roots
  if (!root || roots.length > 1 || root.kind !== 'SelectWithUnionQuery' || root.children.length !== 1)
    throw refuseSql('A query must be one SELECT statement', sql)
  const nodes = nodesOf(root)
  for (const { kind } of nodes)
    if (!allowedKinds.has(kind)) throw refuseSql('This part of SQL is not available in queries', sql)
  compareNames(nodes, statement, sql)
  return root
}

const nodesOf = (node: SyntaxNode): SyntaxNode[] => [node, ...node.children.flatMap(nodesOf)]

function compareNames(nodes: readonly SyntaxNode[], { found }: Statement, sql: string) {
  const namesOf = (wanted: string) => nodes.filter(({ kind }) => kind === wanted).map(nodeName)
  const tables = namesOf('TableIdentifier')
  const functions = new Set(namesOf('Function'))
  const strange = tables.find((name) => !Object.hasOwn(columnsOf, name) && !found.commonTables.has(name))
  if (strange !== undefined) throw refuseUnknownTable(strange, sql)
  const isForeignSet = nodes.some(
    (node) => rightSideOfIn(node)?.kind === 'Identifier' && !plainName.test(nodeName(rightSideOfIn(node) ?? node)),
  )
  const isNamedLambda = nodes.some((node) => /^lambda ./i.test(node.detail) && node.kind === 'Function')
  const isWhole =
    !isForeignSet &&
    !isNamedLambda &&
    namesOf('SelectQuery').length === found.selects &&
    tables.toSorted().join() === found.tables.toSorted().join() &&
    [...functions].every((name) => isAllowedFunction(name) || numberTables.has(name)) &&
    [...found.functions].every((name) => functions.has(name))
  if (!isWhole) throw refuseSql('The engine reads this statement differently from how it is written; simplify it', sql)
}
