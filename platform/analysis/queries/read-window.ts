import { type Grammar, readItems } from './grammar.ts'
import { readOrder } from './read-order.ts'

/** Reads what follows OVER: a name, or a definition in parentheses. */
export function readWindow(grammar: Grammar) {
  const { reader } = grammar
  if (reader.accept('(')) readWindowDefinition(grammar)
  else reader.readName()
}

const frames = ['ROWS', 'RANGE', 'GROUPS']

/** Reads a window definition after its opening parenthesis. */
export function readWindowDefinition(grammar: Grammar) {
  const { reader } = grammar
  const isKeyword = ['PARTITION', 'ORDER', ...frames, ')'].some((word) => reader.isAt(word))
  if (!isKeyword) reader.readName()
  if (reader.accept('PARTITION', 'BY')) readItems(grammar)
  if (reader.accept('ORDER', 'BY')) readOrder(grammar, grammar.readExpression)
  if (frames.some((word) => reader.accept(word))) readFrame(grammar)
  reader.expect(')')
}

function readFrame(grammar: Grammar) {
  const { reader } = grammar
  reader.expect('BETWEEN')
  readBound(grammar)
  reader.expect('AND')
  readBound(grammar)
}

function readBound(grammar: Grammar) {
  const { reader } = grammar
  if (reader.accept('CURRENT', 'ROW')) return
  if (!reader.accept('UNBOUNDED')) grammar.readOperand(grammar)
  void (reader.accept('PRECEDING') || reader.expect('FOLLOWING'))
}
