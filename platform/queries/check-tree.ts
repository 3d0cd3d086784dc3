import { columnsOf } from '#platform/analytics/schema.ts'
import { invalid } from '#platform/failure.ts'
import { isAllowedFunction, numberTables, refuseFunction } from './check-tokens.ts'
import { refuseName, refuseSql, refuseUnknownTable } from './query-error.ts'
import { nameOf, readSyntaxTree, type SyntaxNode } from './syntax-tree.ts'
import { setOf } from './values-from-subqueries.ts'

const allowedKinds = new Set(
  `ArrayJoin Asterisk ColumnsApplyTransformer ColumnsExceptTransformer ColumnsListMatcher ColumnsRegexpMatcher
   ColumnsReplaceTransformer ColumnsReplaceTransformer::Replacement ColumnsTransformerList ExpressionList Function Identifier
   InterpolateElement Literal OrderByElement QualifiedAsterisk QualifiedColumnsListMatcher QualifiedColumnsRegexpMatcher
   SelectIntersectExceptQuery SelectQuery SelectWithUnionQuery Subquery TableExpression TableIdentifier TableJoin
   TablesInSelectQuery TablesInSelectQueryElement WindowDefinition WindowListElement WithElement`.split(/\s+/),
)

/** Refused parts of the language, in the words of who wrote them. */
const refusedKinds: Record<string, string> = {
  Set: 'SETTINGS are not available in queries',
  SampleRatio: 'SAMPLE is not available: the tables hold whole populations',
}

/** What a table of numbers may be asked for; its arguments are literals, so its size is known. */
const maxNumbers = 1_000_000

const plainName = /^[A-Za-z_]\w*$/

type Statement = { sql: string; cteNames: ReadonlySet<string> }

/**
 * Refuses what is not one SELECT made of allowed nodes, functions and tables; `lines` are those of `EXPLAIN AST`. Gives
 * the tree.
 */
export function checkTree(lines: readonly string[], statement: Statement): SyntaxNode {
  const roots = readSyntaxTree(lines)
  if (!roots) throw invalid('The statement is too deep or too large to be checked; make it smaller')
  const [root] = roots
  if (!root || roots.length > 1 || root.kind !== 'SelectWithUnionQuery')
    throw refuseSql('A query is one SELECT statement', statement.sql)
  checkNode(root, null, statement)
  return root
}

function checkNode(node: SyntaxNode, parent: SyntaxNode | null, statement: Statement) {
  const { kind, children } = node
  if (!allowedKinds.has(kind))
    throw refuseSql(refusedKinds[kind] ?? `This part of SQL is not available in queries (${kind})`, statement.sql)
  if (kind === 'SelectWithUnionQuery' && children.length !== 1)
    throw refuseSql('INTO OUTFILE, FORMAT and SETTINGS are not available in queries', statement.sql)
  if (kind === 'TableIdentifier') checkTable(nameOf(node), statement)
  if (kind === 'Function' && parent?.kind === 'TableExpression') checkTableFunction(node, statement)
  else if (kind === 'Function') checkFunction(node, statement)
  for (const child of children) checkNode(child, node, statement)
}

function checkTable(name: string, { sql, cteNames }: Statement) {
  const isKnown = Object.hasOwn(columnsOf, name) || cteNames.has(name)
  if (!plainName.test(name) || !isKnown) throw refuseUnknownTable(name, sql)
}

function checkFunction(node: SyntaxNode, statement: Statement) {
  const name = nameOf(node)
  if (!isAllowedFunction(name)) throw refuseFunction(name, statement.sql)
  // The engine resolves the scope's own conditions where the statement uses a table: there `equals` would be the user's.
  if (name.toLowerCase() === 'lambda' && node.detail !== name)
    throw refuseSql('A lambda may not have a name of its own: write it where it is called', statement.sql)
  // `x IN name` may mean a table; a plain name can only be one of the scope's.
  const set = setOf(node)
  if (set?.kind === 'Identifier' && !plainName.test(set.detail.replace(/ \(alias .*$/, '')))
    throw refuseUnknownTable(nameOf(set), statement.sql)
}

function checkTableFunction(node: SyntaxNode, { sql }: Statement) {
  const name = nameOf(node)
  if (!numberTables.has(name)) throw refuseName(`The table function ${name} is not available in queries`, sql, name)
  const sizes = (node.children[0]?.children ?? []).map(({ kind, detail }) =>
    kind === 'Literal' ? Number(/^UInt64_(\d+)$/.exec(detail)?.[1]) : Number.NaN,
  )
  if (!sizes.every((size) => size <= maxNumbers))
    throw refuseName(`${name} takes plain numbers up to ${maxNumbers.toLocaleString('en')}`, sql, name)
}
