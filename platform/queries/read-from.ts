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
    if (reader.take(',')) readTable(grammar)
    else if (reader.take('ARRAY', 'JOIN') || reader.take('LEFT', 'ARRAY', 'JOIN')) readItems(grammar)
    else if (takeJoin(reader)) {
      readTable(grammar)
      refuseClauses(reader)
      readCondition(grammar)
    } else return
  }
}

function refuseClauses(reader: StatementReader) {
  for (const [word, message] of Object.entries(instead)) if (reader.isAt(word)) reader.refuse(message, word)
}

function takeJoin(reader: StatementReader): boolean {
  const start = reader.position()
  while (joinWords.some((word) => reader.take(word)));
  if (reader.position() > start) reader.need('JOIN')
  return reader.position() > start
}

function readCondition(grammar: Grammar) {
  const { reader } = grammar
  if (reader.take('ON')) readNamed(grammar)
  else if (reader.take('USING')) {
    reader.need('(')
    readList(grammar, ')', () => readNamed(grammar))
  }
}

function readTable(grammar: Grammar) {
  const { reader } = grammar
  if (reader.take('(')) {
    grammar.readQuery(grammar)
    reader.need(')')
  } else if (reader.peek(1)?.text === '(') readNumbers(grammar)
  else readTableName(reader)
  if (!reader.take('AS')) return
  reader.takeName()
  if (reader.take('(')) readList(grammar, ')', () => reader.takeName())
}

function readTableName(reader: StatementReader) {
  let name = reader.takeName()
  while (reader.take('.')) name = `${name}.${reader.takeName()}`
  reader.found.tables.push(name)
}

function readNumbers(grammar: Grammar) {
  const { reader } = grammar
  const name = reader.takeFunctionName()
  if (!numberTables.has(name)) reader.refuse(`Table function ${name} is not available in queries`, name)
  reader.need('(')
  readList(grammar, ')', () => {
    const size = Number(reader.peek()?.text)
    if (!reader.takeKind('number') || !(size <= maxNumbers))
      reader.refuse(`${name} only accepts plain numbers up to ${maxNumbers.toLocaleString('en')}`, name)
  })
}
