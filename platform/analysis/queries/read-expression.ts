import { setFunction } from './allowed-names.ts'
import { type Grammar, readList } from './grammar.ts'
import { readTransformers, readFunctionName } from './read-transformers.ts'
import { readWindow } from './read-window.ts'
import { databases, type StatementReader } from './statement-reader.ts'

const signs = ['+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>=', '<=>']
const words = [['AND'], ['OR'], ['LIKE'], ['ILIKE'], ['NOT', 'LIKE'], ['NOT', 'ILIKE']]
const distinct = [
  ['IS', 'DISTINCT', 'FROM'],
  ['IS', 'NOT', 'DISTINCT', 'FROM'],
]
const operators = [...signs.map((sign) => [sign]), ...words, ...distinct]
const sets = [['IN'], ['NOT', 'IN'], ['GLOBAL', 'IN'], ['GLOBAL', 'NOT', 'IN']]
const literals = ['NULL', 'true', 'false', 'inf', 'nan']

const acceptAny = (reader: StatementReader, all: string[][]) => all.some((texts) => reader.accept(...texts))

/** Reads an expression with an optional name. Returns whether it is a lambda. */
export function readNamed(grammar: Grammar): boolean {
  const { reader } = grammar
  const isLambda = readExpression(grammar)
  if (!reader.accept('AS')) return isLambda
  // The engine resolves the scope's own conditions inside the statement: a lambda named `equals` would replace their
  // `equals`.
  if (isLambda) reader.refuse('A lambda cannot have a name: write it where it is called')
  reader.readName()
  return false
}

/**
 * Reads operands with operators between them; precedence does not matter for the names they contain. Returns whether it
 * is a lambda.
 */
export function readExpression(grammar: Grammar): boolean {
  const { reader } = grammar
  let isLambda = readOperand(grammar)
  for (;;) {
    if (reader.accept('->')) {
      readExpression(grammar)
      return true
    }
    if (acceptAny(reader, sets)) readSet(grammar)
    else if (acceptAny(reader, operators)) readOperand(grammar)
    else return isLambda
    isLambda = false
  }
}

export function readOperand(grammar: Grammar): boolean {
  const { reader } = grammar
  while (reader.accept('-') || reader.accept('NOT'));
  const isLambda = readPrimary(grammar)
  return readAfter(grammar) ? false : isLambda
}

/** Reads what may follow an operand: an index, an element, IS NULL. Returns whether there was any. */
function readAfter(grammar: Grammar): boolean {
  const { reader } = grammar
  const start = reader.position()
  for (;;) {
    if (reader.accept('[')) {
      readNamed(grammar)
      reader.expect(']')
    } else if (reader.accept('.')) {
      if (!reader.acceptKind('number')) reader.readName()
    } else if (!reader.accept('IS', 'NULL') && !reader.accept('IS', 'NOT', 'NULL')) return reader.position() > start
  }
}

/** Reads the right side of IN, where the engine reads a name as a table. */
function readSet(grammar: Grammar) {
  const { reader } = grammar
  const start = reader.position()
  readOperand(grammar)
  refuseForeignSet(reader, start)
}

/** A plain name can only be a table of the scope, a column or a name that the statement defines. */
function refuseForeignSet(reader: StatementReader, start: number) {
  const tokens = reader.since(start).filter(({ text }) => text !== '(' && text !== ')')
  const isQuery = tokens[0]?.text === 'SELECT' || tokens[0]?.text === 'WITH'
  if (isQuery) return
  const isChain =
    tokens.length > 1 && tokens.every(({ kind, text }) => kind === 'word' || kind === 'quoted' || text === '.')
  const [only] = tokens
  const isOdd = tokens.length === 1 && only?.kind === 'quoted' && !/^`[A-Za-z_]\w*`$/.test(only.text)
  if (isChain || isOdd)
    reader.refuse(
      'After IN write a list, a subquery or a plain name, without a dot',
      tokens.at(-1)?.text.replaceAll('`', ''),
    )
}

/** Returns whether it is a lambda in parentheses or a lambda written as a function call. */
function readPrimary(grammar: Grammar): boolean {
  const { reader } = grammar
  if (reader.accept('(')) return readParentheses(grammar)
  if (reader.accept('[')) readList(grammar, ']', () => readNamed(grammar))
  else if (reader.accept('*')) readTransformers(grammar)
  else if (reader.isAt('COLUMNS', '(')) readColumns(grammar)
  else if (
    !reader.acceptKind('string') &&
    !reader.acceptKind('number') &&
    !literals.some((word) => reader.accept(word))
  )
    return reader.peek(1)?.text === '(' ? readCall(grammar) : readColumn(grammar)
  return false
}

function readParentheses(grammar: Grammar): boolean {
  const { reader } = grammar
  if (reader.isAt('SELECT') || reader.isAt('WITH')) {
    grammar.readQuery(grammar)
    reader.expect(')')
    return false
  }
  let [items, isLambda] = [0, false]
  readList(grammar, ')', () => {
    isLambda = readNamed(grammar)
    items += 1
  })
  return items === 1 && isLambda
}

/** Reads a column or an element of one: `name`, `table.name`, `table.*`, `table.COLUMNS('…')`. */
function readColumn(grammar: Grammar): false {
  const { reader } = grammar
  const first = reader.readName()
  if (reader.isAt('.') && databases.has(first.toLowerCase())) reader.refuse('Name the table without a database', first)
  while (reader.isAt('.') && reader.peek(1)?.kind !== 'number') {
    reader.expect('.')
    if (reader.isAt('COLUMNS', '(')) {
      readColumns(grammar)
      return false
    }
    if (reader.accept('*')) {
      readTransformers(grammar)
      return false
    }
    reader.readName()
  }
  return false
}

function readColumns(grammar: Grammar) {
  const { reader } = grammar
  reader.expect('COLUMNS', '(')
  if (reader.acceptKind('string')) reader.expect(')')
  else readList(grammar, ')', () => readColumn(grammar))
  readTransformers(grammar)
}

function readCall(grammar: Grammar): boolean {
  const { reader } = grammar
  const name = readFunctionName(grammar)
  const readArguments = () =>
    readList(grammar, ')', (index) => {
      const start = reader.position()
      readNamed(grammar)
      if (index === 1 && setFunction.test(name)) refuseForeignSet(reader, start)
    })
  reader.expect('(')
  readArguments()
  if (reader.accept('(')) readArguments()
  void (reader.accept('RESPECT', 'NULLS') || reader.accept('IGNORE', 'NULLS'))
  if (reader.accept('OVER')) readWindow(grammar)
  return name.toLowerCase() === 'lambda'
}
