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
    if (reader.take('(')) {
      readQuery(grammar)
      reader.need(')')
    } else readSelect(grammar)
    if (!setOperators.some((word) => reader.take(word))) return
    void (reader.take('ALL') || reader.take('DISTINCT'))
  }
}

function readSelect(grammar: Grammar) {
  const { reader } = grammar
  if (reader.isHidden())
    reader.refuse('APPLY and INTERPOLATE cannot contain a SELECT: put it in WITH, or join it', 'SELECT')
  if (reader.take('WITH')) readWith(grammar)
  reader.need('SELECT')
  reader.found.selects += 1
  reader.take('DISTINCT')
  readItems(grammar)
  if (reader.take('FROM')) readFrom(grammar)
  if (reader.take('WHERE')) readNamed(grammar)
  if (reader.take('GROUP', 'BY')) readGroupBy(grammar)
  if (reader.take('HAVING')) readNamed(grammar)
  if (reader.take('WINDOW')) readWindows(grammar)
  if (reader.take('QUALIFY')) readNamed(grammar)
  if (reader.take('ORDER', 'BY')) readOrder(grammar, readNamed)
  if (reader.take('INTERPOLATE')) reader.hidden(() => readInterpolate(grammar))
  while (reader.take('LIMIT')) readLimit(grammar)
  if (reader.take('OFFSET')) readExpression(grammar)
}

function readWith(grammar: Grammar) {
  const { reader } = grammar
  reader.take('RECURSIVE')
  do if (!readCommonTable(grammar)) readNamed(grammar)
  while (reader.take(','))
}

/** Reads `name AS (SELECT …)` or `name(a, b) AS (SELECT …)`. Returns false if an expression follows instead. */
function readCommonTable(grammar: Grammar): boolean {
  const { reader } = grammar
  const isPlain = reader.peek(1)?.text === 'AS' && ['(', 'MATERIALIZED'].includes(reader.peek(2)?.text ?? '')
  const isNamed = reader.peek(1)?.text === '(' && namesColumns(grammar)
  if (!isPlain && !isNamed) return false
  reader.found.commonTables.add(reader.takeName())
  if (reader.take('(')) readList(grammar, ')', () => reader.takeName())
  reader.need('AS')
  reader.take('MATERIALIZED')
  reader.need('(')
  readQuery(grammar)
  reader.need(')')
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
  if (reader.take('GROUPING', 'SETS', '(')) {
    readList(grammar, ')', () => {
      reader.need('(')
      readList(grammar, ')', () => readNamed(grammar))
    })
  } else if (!reader.take('ALL')) readItems(grammar)
  for (const word of ['ROLLUP', 'CUBE', 'TOTALS']) reader.take('WITH', word)
}

function readWindows(grammar: Grammar) {
  const { reader } = grammar
  do {
    reader.takeName()
    reader.need('AS', '(')
    readWindowDefinition(grammar)
  } while (reader.take(','))
}

function readInterpolate(grammar: Grammar) {
  const { reader } = grammar
  if (!reader.take('(')) return
  readList(grammar, ')', () => {
    reader.takeName()
    reader.need('AS')
    readExpression(grammar)
  })
}

/** Reads `LIMIT 5`, `LIMIT 2, 5`, `LIMIT 2 BY agent`, `LIMIT 5 WITH TIES`. */
function readLimit(grammar: Grammar) {
  const { reader } = grammar
  readExpression(grammar)
  if (reader.take(',')) readExpression(grammar)
  if (reader.take('BY')) readItems(grammar)
  else reader.take('WITH', 'TIES')
}
