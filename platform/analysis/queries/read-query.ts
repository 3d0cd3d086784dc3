import { type Grammar, readItems, readList } from './grammar.ts'
import { readExpression, readNamed } from './read-expression.ts'
import { readFrom } from './read-from.ts'
import { readOrder } from './read-order.ts'
import { readWindowDefinition } from './read-window.ts'

const setOperators = ['UNION', 'INTERSECT', 'EXCEPT']

/** Reads one or more SELECTs with UNION, INTERSECT or EXCEPT between them. */
export function readQuery(grammar: Grammar) {
  const { reader } = grammar
  for (;;) {
    if (reader.accept('(')) {
      readQuery(grammar)
      reader.expect(')')
    } else readSelect(grammar)
    if (!setOperators.some((word) => reader.accept(word))) return
    void (reader.accept('ALL') || reader.accept('DISTINCT'))
  }
}

function readSelect(grammar: Grammar) {
  const { reader } = grammar
  if (reader.isHidden())
    reader.refuse('APPLY and INTERPOLATE cannot contain a SELECT: put it in WITH, or join it', 'SELECT')
  if (reader.accept('WITH')) readWith(grammar)
  reader.expect('SELECT')
  reader.found.selects += 1
  reader.accept('DISTINCT')
  readItems(grammar)
  if (reader.accept('FROM')) readFrom(grammar)
  if (reader.accept('WHERE')) readNamed(grammar)
  if (reader.accept('GROUP', 'BY')) readGroupBy(grammar)
  if (reader.accept('HAVING')) readNamed(grammar)
  if (reader.accept('WINDOW')) readWindows(grammar)
  if (reader.accept('QUALIFY')) readNamed(grammar)
  if (reader.accept('ORDER', 'BY')) readOrder(grammar, readNamed)
  if (reader.accept('INTERPOLATE')) reader.hidden(() => readInterpolate(grammar))
  while (reader.accept('LIMIT')) readLimit(grammar)
  if (reader.accept('OFFSET')) readExpression(grammar)
}

function readWith(grammar: Grammar) {
  const { reader } = grammar
  reader.accept('RECURSIVE')
  do if (!readCommonTable(grammar)) readNamed(grammar)
  while (reader.accept(','))
}

/** Reads `name AS (SELECT …)` or `name(a, b) AS (SELECT …)`. Returns false if an expression follows instead. */
function readCommonTable(grammar: Grammar): boolean {
  const { reader } = grammar
  const isPlain = reader.peek(1)?.text === 'AS' && ['(', 'MATERIALIZED'].includes(reader.peek(2)?.text ?? '')
  const isNamed = reader.peek(1)?.text === '(' && namesColumns(grammar)
  if (!isPlain && !isNamed) return false
  reader.found.commonTables.add(reader.readName())
  if (reader.accept('(')) readList(grammar, ')', () => reader.readName())
  reader.expect('AS')
  reader.accept('MATERIALIZED')
  reader.expect('(')
  readQuery(grammar)
  reader.expect(')')
  return true
}

/**
 * Whether names in parentheses and `AS (` follow, as in `name(a, b) AS (`. In contrast, `f(a, b) AS name` is a call.
 */
function namesColumns({ reader }: Grammar): boolean {
  let ahead = 2
  while (reader.peek(ahead) && reader.peek(ahead)?.text !== ')') ahead += 1
  return reader.peek(ahead + 1)?.text === 'AS' && reader.peek(ahead + 2)?.text === '('
}

function readGroupBy(grammar: Grammar) {
  const { reader } = grammar
  if (reader.accept('GROUPING', 'SETS', '(')) {
    readList(grammar, ')', () => {
      reader.expect('(')
      readList(grammar, ')', () => readNamed(grammar))
    })
  } else if (!reader.accept('ALL')) readItems(grammar)
  for (const word of ['ROLLUP', 'CUBE', 'TOTALS']) reader.accept('WITH', word)
}

function readWindows(grammar: Grammar) {
  const { reader } = grammar
  do {
    reader.readName()
    reader.expect('AS', '(')
    readWindowDefinition(grammar)
  } while (reader.accept(','))
}

function readInterpolate(grammar: Grammar) {
  const { reader } = grammar
  if (!reader.accept('(')) return
  readList(grammar, ')', () => {
    reader.readName()
    reader.expect('AS')
    readExpression(grammar)
  })
}

/** Reads `LIMIT 5`, `LIMIT 2, 5`, `LIMIT 2 BY agent`, `LIMIT 5 WITH TIES`. */
function readLimit(grammar: Grammar) {
  const { reader } = grammar
  readExpression(grammar)
  if (reader.accept(',')) readExpression(grammar)
  if (reader.accept('BY')) readItems(grammar)
  else reader.accept('WITH', 'TIES')
}
