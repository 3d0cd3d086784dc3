import { isAllowedFunction } from './allowed-names.ts'
import { type Grammar, readList } from './grammar.ts'

/** Reads the name of a function and rejects it unless it can be called. */
export function readFunctionName({ reader }: Grammar): string {
  const name = reader.readFunctionName()
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
    if (reader.accept('EXCEPT')) readExcept(grammar)
    else if (reader.accept('REPLACE')) readReplace(grammar)
    else if (reader.accept('APPLY')) reader.hidden(() => readApply(grammar))
    else return
  }
}

function readExcept(grammar: Grammar) {
  const { reader } = grammar
  reader.accept('STRICT')
  if (reader.accept('(')) readList(grammar, ')', () => reader.readName())
  else if (!reader.acceptKind('string')) reader.readName()
}

function readReplace(grammar: Grammar) {
  const { reader } = grammar
  reader.accept('STRICT')
  reader.expect('(')
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
    reader.expect('(')
    if (reader.isAt('(') || reader.peek(1)?.text === '->') grammar.readExpression(grammar)
    else readApplied(grammar)
    if (reader.accept(',') && !reader.acceptKind('string')) reader.refuseNext()
    reader.expect(')')
  }
}

function readApplied(grammar: Grammar) {
  const { reader } = grammar
  readFunctionName(grammar)
  if (reader.accept('(')) readList(grammar, ')', () => grammar.readExpression(grammar))
}
