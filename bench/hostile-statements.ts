/** Statements with which a member tries to exhaust time, memory or bytes. Each is refused, stopped or limited. */
export const hostileStatements = [
  'SELECT sum(sipHash64(a.number, b.number)) FROM numbers(1000000) a CROSS JOIN numbers(1000000) b',
  'SELECT range(toUInt64(1000000)) FROM numbers(8)',
  "SELECT repeat(repeat('x', 1000), 100000)",
  "SELECT repeat('x', 1000000) FROM numbers(10000)",
  'SELECT groupArray(arrayJoin(range(toUInt64(5000000))))',
  'SELECT arrayMap(x -> arrayMap(y -> x + y, range(1000)), range(1000)) FROM numbers(10)',
  "SELECT map('a', range(toUInt64(1000000)), 'b', range(toUInt64(1000000)))",
  `SELECT ${Array.from({ length: 100 }, (_, at) => `number * ${at} AS c${at}`).join(', ')} FROM numbers(10000)`,
  "SELECT toInt32(repeat('x', 1000000))",
  "SELECT number, repeat('y', 1500) FROM numbers(10000)",
]
