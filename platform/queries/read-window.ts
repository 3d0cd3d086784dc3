import { type Grammar, readItems } from './grammar.ts'
import { readOrder } from './read-order.ts'

/** Reads what follows OVER: a name, or a definition in parentheses. */
export function readWindow(grammar: Grammar) {
  const { reader } = grammar
  if (reader.take('(')) readWindowDefinition(grammar)
  else reader.takeName()
}

const frames = ['ROWS', 'RANGE', 'GROUPS']

/** Reads a window definition after its opening parenthesis. */
export function readWindowDefinition(grammar: Grammar) {
  const { reader } = grammar
  const isKeyword = ['PARTITION', 'ORDER', ...frames, ')'].some((word) => reader.isAt(word))
  if (!isKeyword) reader.takeName()
  if (reader.take('PARTITION', 'BY')) readItems(grammar)
  if (reader.take('ORDER', 'BY')) readOrder(grammar, grammar.readExpression)
  if (frames.some((word) => reader.take(word))) readFrame(grammar)
  reader.need(')')
}

function readFrame(grammar: Grammar) {
  const { reader } = grammar
  reader.need('BETWEEN')
  readBound(grammar)
  reader.need('AND')
  readBound(grammar)
}

function readBound(grammar: Grammar) {
  const { reader } = grammar
  if (reader.take('CURRENT', 'ROW')) return
  if (!reader.take('UNBOUNDED')) grammar.readOperand(grammar)
  void (reader.take('PRECEDING') || reader.need('FOLLOWING'))
}
