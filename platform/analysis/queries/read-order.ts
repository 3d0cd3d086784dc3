import type { Grammar } from './grammar.ts'

type ReadExpression = (grammar: Grammar) => unknown

/** Reads the elements of ORDER BY with the clauses that fill gaps between them. */
export function readOrder(grammar: Grammar, readExpression: ReadExpression) {
  const { reader } = grammar
  do {
    if (!reader.accept('ALL')) readExpression(grammar)
    void (reader.accept('ASC') || reader.accept('DESC'))
    void (reader.accept('NULLS', 'FIRST') || reader.accept('NULLS', 'LAST'))
    if (reader.accept('COLLATE') && !reader.acceptKind('string')) reader.refuseNext()
    if (reader.accept('WITH', 'FILL')) readFill(grammar, readExpression)
  } while (reader.accept(','))
}

function readFill(grammar: Grammar, readExpression: ReadExpression) {
  for (const word of ['FROM', 'TO', 'STEP', 'STALENESS']) if (grammar.reader.accept(word)) readExpression(grammar)
}
