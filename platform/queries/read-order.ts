import type { Grammar } from './grammar.ts'

type ReadExpression = (grammar: Grammar) => unknown

/** Reads the elements of ORDER BY with the clauses that fill gaps between them. */
export function readOrder(grammar: Grammar, readExpression: ReadExpression) {
  const { reader } = grammar
  do {
    if (!reader.take('ALL')) readExpression(grammar)
    void (reader.take('ASC') || reader.take('DESC'))
    void (reader.take('NULLS', 'FIRST') || reader.take('NULLS', 'LAST'))
    if (reader.take('COLLATE') && !reader.takeKind('string')) reader.refuseNext()
    if (reader.take('WITH', 'FILL')) readFill(grammar, readExpression)
  } while (reader.take(','))
}

function readFill(grammar: Grammar, readExpression: ReadExpression) {
  for (const word of ['FROM', 'TO', 'STEP', 'STALENESS']) if (grammar.reader.take(word)) readExpression(grammar)
}
