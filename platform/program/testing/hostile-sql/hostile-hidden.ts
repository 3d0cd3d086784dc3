import type { Targets } from './hostile-reach.ts'

/** Parts of a statement that a check might overlook. Each takes an expression that reads forbidden data. */
const places: ((secret: string) => string)[] = [
  // column transformers
  (secret) => `SELECT * APPLY(x -> ${secret}) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * APPLY(x -> ${secret}, 'p_') FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * APPLY x -> ${secret} FROM runs`,
  (secret) => `SELECT * APPLY(toString) APPLY(x -> ${secret}) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT r.* EXCEPT (id) APPLY(x -> ${secret}) FROM runs AS r`,
  (secret) => `SELECT COLUMNS('^x') APPLY(x -> ${secret}) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT COLUMNS(x) APPLY(x -> arrayMap(y -> ${secret}, [1])) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT t.COLUMNS('x') APPLY(x -> (x, ${secret})) FROM (SELECT 1 AS x) AS t`,
  (secret) => `SELECT * APPLY(quantile(${secret})) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * REPLACE (${secret} AS x) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * REPLACE STRICT (toString(${secret}) AS x) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * REPLACE (1 AS x) APPLY(x -> ${secret}) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT count(* APPLY(x -> ${secret})) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT tuple(* REPLACE (${secret} AS x)) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT * FROM (SELECT * APPLY(x -> ${secret}) FROM (SELECT 1 AS x))`,
  (secret) => `WITH t AS (SELECT * APPLY(x -> ${secret}) FROM (SELECT 1 AS x)) SELECT * FROM t`,
  (secret) => `SELECT 1 IN (SELECT * APPLY(x -> ${secret}) FROM (SELECT 1 AS x))`,
  (secret) => `SELECT * APPLY(x -> (SELECT * APPLY(y -> ${secret}) FROM (SELECT 1 AS y))) FROM (SELECT 1 AS x)`,
  // gaps that are filled
  (secret) => `SELECT 1 AS n, 'a' AS v ORDER BY n WITH FILL TO 3 INTERPOLATE (v AS ${secret})`,
  (secret) => `SELECT 1 AS n, ['a'] AS v ORDER BY n WITH FILL TO 3 INTERPOLATE (v AS arrayConcat(v, [${secret}]))`,
  (secret) =>
    `SELECT * APPLY(x -> (SELECT groupArray(v) FROM (SELECT 1 AS n, 'a' AS v ORDER BY n WITH FILL TO 3 INTERPOLATE (v AS ${secret})))) FROM (SELECT 1 AS x)`,
  (secret) => `SELECT 1 AS n ORDER BY n WITH FILL FROM length(${secret}) TO 3`,
  (secret) => `SELECT 1 AS n ORDER BY n WITH FILL FROM 0 TO length(${secret}) STEP 1 STALENESS 2`,
  (secret) => `SELECT 1 AS n ORDER BY n WITH FILL STEP length(${secret})`,
  // clauses
  (secret) => `SELECT * FROM runs PREWHERE length(${secret}) > 0`,
  (secret) => `SELECT id FROM runs QUALIFY ${secret} = toString(row_number() OVER ())`,
  (secret) => `SELECT ${secret} AS s FROM runs GROUP BY GROUPING SETS ((s), ())`,
  (secret) => `SELECT count() FROM runs GROUP BY ROLLUP(${secret})`,
  (secret) => `SELECT count(), any(${secret}) FROM runs GROUP BY id WITH CUBE WITH TOTALS`,
  (secret) => `SELECT DISTINCT ON (${secret}) id FROM runs`,
  (secret) => `SELECT id FROM runs ORDER BY ${secret} LIMIT 1 BY ${secret}`,
  (secret) => `SELECT id FROM runs LIMIT length(${secret}) WITH TIES`,
  (secret) => `SELECT x FROM runs LEFT ARRAY JOIN [${secret}] AS x`,
  (secret) => `SELECT a.id FROM runs AS a ASOF JOIN runs AS b ON a.id = b.id AND a.repeat >= length(${secret})`,
  // windows
  (secret) => `SELECT any(${secret}) OVER (PARTITION BY agent ORDER BY id) FROM runs`,
  (secret) => `SELECT count() OVER w FROM runs WINDOW w AS (PARTITION BY ${secret} ORDER BY id)`,
  (secret) =>
    `SELECT count() OVER (ORDER BY repeat ROWS BETWEEN length(${secret}) PRECEDING AND CURRENT ROW) FROM runs`,
  (secret) => `SELECT lagInFrame(id, 1, toString(${secret})) OVER (ORDER BY id) FROM runs`,
  // functions of functions, and names
  (secret) => `SELECT quantile(${secret})(repeat) FROM runs`,
  (secret) => `SELECT groupConcat(${secret})(id) FROM runs`,
  (secret) => `SELECT sum(passed) FILTER (WHERE length(${secret}) > 0) FROM runs`,
  (secret) => `SELECT arrayFold((acc, x) -> concat(acc, toString(${secret})), [1], '')`,
  (secret) => `SELECT (SELECT ${secret} AS s) AS file, [tuple(${secret} AS t)].1`,
  (secret) => `WITH ${secret} AS runs SELECT runs`,
  (secret) => `WITH x -> ${secret} AS f SELECT f(1)`,
  (secret) => `SELECT a FROM (SELECT ${secret}) AS t(a)`,
  (secret) => `WITH t(a) AS (SELECT ${secret}) SELECT a FROM t`,
]

const secrets = ({ hostFile }: Targets) => [
  '(SELECT toString(groupArray(agent)) FROM session_data_v1.runs)',
  "(SELECT toString(groupArray(engine)) FROM system.tables WHERE database = 'session_data_v1')",
  `file('${hostFile}')`,
  `(SELECT any(line) FROM file('${hostFile}', 'LineAsString', 'line String'))`,
]

/** Reads rows everywhere, and in turn one of the other secrets besides. */
function secretsAt(targets: Targets, index: number) {
  const [rows = '', ...others] = secrets(targets)
  return [rows, others[index % others.length] ?? rows]
}

/** Statements that use keywords of the engine as names, to end one construct and start another. */
const spellings = [
  'SELECT 1 AS `settings` FROM runs AS `format`, session_data_v1.runs AS `final`',
  'SELECT `from`, `limit` FROM (SELECT 1 AS `from`, 2 AS `limit`) AS `union`, session_data_v1.turns',
  'SELECT 1 AS `union`, (SELECT any(text) FROM `session_data_v1`.`turns`) AS `select`',
  'SELECT `left` FROM (SELECT 1 AS `left`) AS `array` JOIN session_data_v1.runs AS `join` ON 1',
  'SELECT id FROM runs AS `settings` WHERE id IN (SELECT id FROM session_data_v1.runs AS `into`)',
  'SELECT * EXCEPT session_data_v1.runs.id FROM runs',
  'SELECT * EXCEPT (SELECT groupArray(text) FROM session_data_v1.turns)',
  'SELECT * APPLY(session_data_v1.runs) FROM runs',
  'SELECT x.* APPLY(sum) FROM session_data_v1.runs AS x',
  'SELECT session_data_v1.runs.* APPLY(toString) FROM runs',
  'SELECT session_data_v1.runs.COLUMNS(agent) FROM runs',
  'SELECT COLUMNS(session_data_v1.runs.agent) FROM runs',
  'SELECT groupArray(agent) FROM runs WHERE 1 IN (session_data_v1.runs)',
  'SELECT groupArray(agent) FROM runs WHERE nullIn(id, session_data_v1.runs)',
  'SELECT * APPLY(x -> in(x, session_data_v1.runs)) FROM runs',
  'SELECT * APPLY(x -> x IN session_data_v1.runs) FROM runs',
  'SELECT 1 AS n ORDER BY n WITH FILL TO 2 INTERPOLATE (n AS n IN session_data_v1.runs)',
  "SELECT * APPLY(dictGet('session_data_v1.runs', 'agent')) FROM runs",
  "SELECT * APPLY(x -> joinGet('session_data_v1.runs', 'agent', x)) FROM runs",
  'SELECT - -(SELECT count() FROM session_data_v1.runs), 1 --\n, 2',
  "SELECT $$ ' $$, (SELECT any(text) FROM session_data_v1.turns), $$ ' $$",
  'SELECT 1 FROM runs NATURAL JOIN session_data_v1.tests',
  'SELECT 1 FROM runs PASTE JOIN session_data_v1.tests',
]

export const hostileHidden = (targets: Targets) => ({
  'hidden expressions': places.flatMap((place, index) => secretsAt(targets, index).map(place)),
  'names that are keywords': spellings,
})
