import { maxNumbers, numberTables } from './allowed-names.ts'
import { type Grammar, readItems, readList } from './grammar.ts'
import { readNamed } from './read-expression.ts'
import type { StatementReader } from './statement-reader.ts'

const joinWords = `GLOBAL LOCAL ANY ALL SEMI ANTI ASOF INNER LEFT RIGHT FULL OUTER CROSS PASTE`.split(' ')

/** Advice for clauses that are not available. */
const instead: Record<string, string> = {
  FINAL: 'Remove FINAL: the tables contain each row once',
  SAMPLE: 'SAMPLE is not available: remove it to read all rows',
  PREWHERE: 'PREWHERE is not available: write WHERE',
  NATURAL: 'NATURAL JOIN is not available: name the columns with USING (…)',
}

/** Reads the tables of a FROM with their joins. */
export function readFrom(grammar: Grammar) {
  const { reader } = grammar
  readTable(grammar)
  for (;;) {
    refuseClauses(reader)
    if (reader.accept(',')) readTable(grammar)
    else if (reader.accept('ARRAY', 'JOIN') || reader.accept('LEFT', 'ARRAY', 'JOIN')) readItems(grammar)
    else if (acceptJoin(reader)) {
      readTable(grammar)
      refuseClauses(reader)
      readCondition(grammar)
    } else return
  }
}

function refuseClauses(reader: StatementReader) {
  for (const [word, message] of Object.entries(instead)) if (reader.isAt(word)) reader.refuse(message, word)
}

function acceptJoin(reader: StatementReader): boolean {
  const start = reader.position()
  while (joinWords.some((word) => reader.accept(word)));
  if (reader.position() > start) reader.expect('JOIN')
  return reader.position() > start
}

function readCondition(grammar: Grammar) {
  const { reader } = grammar
  if (reader.accept('ON')) readNamed(grammar)
  else if (reader.accept('USING')) {
    reader.expect('(')
    readList(grammar, ')', () => readNamed(grammar))
  }
}

function readTable(grammar: Grammar) {
  const { reader } = grammar
  if (reader.accept('(')) {
    grammar.readQuery(grammar)
    reader.expect(')')
  } else if (reader.peek(1)?.text === '(') readNumbers(grammar)
  else readTableName(reader)
  if (!reader.accept('AS')) return
  reader.readName()
  if (reader.accept('(')) readList(grammar, ')', () => reader.readName())
}

function readTableName(reader: StatementReader) {
  let name = reader.readName()
  while (reader.accept('.')) name = `${name}.${reader.readName()}`
  reader.found.tables.push(name)
}

function readNumbers(grammar: Grammar) {
  const { reader } = grammar
  const name = reader.readFunctionName()
  if (!numberTables.has(name)) reader.refuse(`Table function ${name} is not available in queries`, name)
  reader.expect('(')
  readList(grammar, ')', () => {
    const size = Number(reader.peek()?.text)
    if (!reader.acceptKind('number') || !(size <= maxNumbers))
      reader.refuse(`${name} only accepts plain numbers up to ${maxNumbers.toLocaleString('en')}`, name)
  })
}
