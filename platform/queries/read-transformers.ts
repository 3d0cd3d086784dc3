import { isAllowedFunction } from './allowed-names.ts'
import { type Grammar, readList } from './grammar.ts'

/** Reads the name of a function and rejects it unless it can be called. */
export function takeFunctionName({ reader }: Grammar): string {
  const name = reader.takeFunctionName()
  if (!isAllowedFunction(name)) reader.refuseFunction(name)
  ;(reader.isHidden() ? reader.found.hiddenFunctions : reader.found.functions).add(name)
  return name
}

/** Reads EXCEPT, REPLACE and APPLY after an asterisk or COLUMNS. EXCEPT before a SELECT is the set operator instead. */
export function readTransformers(grammar: Grammar) {
  const { reader } = grammar
  for (;;) {
    if (reader.isAt('EXCEPT', '(', 'SELECT') || reader.isAt('EXCEPT', '(', 'WITH')) return
    if (reader.isAt('EXCEPT', 'SELECT') || reader.isAt('EXCEPT', 'ALL') || reader.isAt('EXCEPT', 'DISTINCT')) return
    if (reader.take('EXCEPT')) readExcept(grammar)
    else if (reader.take('REPLACE')) readReplace(grammar)
    else if (reader.take('APPLY')) reader.hidden(() => readApply(grammar))
    else return
  }
}

function readExcept(grammar: Grammar) {
  const { reader } = grammar
  reader.take('STRICT')
  if (reader.take('(')) readList(grammar, ')', () => reader.takeName())
  else if (!reader.takeKind('string')) reader.takeName()
}

function readReplace(grammar: Grammar) {
  const { reader } = grammar
  reader.take('STRICT')
  reader.need('(')
  readList(grammar, ')', () => grammar.readNamed(grammar))
}

/**
 * Reads `APPLY sum`, `APPLY quantile(0.5)` or `APPLY x -> (x + 1)`, optionally in parentheses with a prefix for the
 * names.
 */
function readApply(grammar: Grammar) {
  const { reader } = grammar
  const [first, second] = [reader.peek(), reader.peek(1)]
  if (second?.text === '->') grammar.readExpression(grammar)
  else if (first?.text !== '(') readApplied(grammar)
  else {
    reader.need('(')
    if (reader.isAt('(') || reader.peek(1)?.text === '->') grammar.readExpression(grammar)
    else readApplied(grammar)
    if (reader.take(',') && !reader.takeKind('string')) reader.refuseNext()
    reader.need(')')
  }
}

function readApplied(grammar: Grammar) {
  const { reader } = grammar
  takeFunctionName(grammar)
  if (reader.take('(')) readList(grammar, ')', () => grammar.readExpression(grammar))
}
