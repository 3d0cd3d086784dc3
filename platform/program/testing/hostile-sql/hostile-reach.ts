/** Targets of a hostile statement: rows of others, or the machine. */
export type Targets = {
  /** The id of the other organization. */
  theirs: string
  /** The folder of the other organization's engine. */
  theirFolder: string
  /** A file of the host that contains a canary. */
  hostFile: string
  /** The host:port of a server that nobody may call. */
  address: string
  /** A file that must never be created. */
  outFile: string
}

/** Other organizations and experiments, by name, by scope and by shadowed names. */
const crossTenant = ({ theirs }: Targets) => [
  `SELECT * FROM runs WHERE organization_id = '${theirs}'`,
  `SELECT organization_id FROM runs`,
  `SELECT count() FROM runs WHERE experiment_id != 'roman'`,
  `SELECT * FROM runs WHERE 1 = 1 OR organization_id = '${theirs}'`,
  `SELECT * FROM runs) OR (1 = 1`,
  `SELECT * FROM runs) UNION ALL (SELECT * FROM session_data_v1.runs`,
  `SELECT * FROM runs) LIMIT 1000000 --`,
  `1) UNION ALL SELECT * FROM session_data_v1.runs --`,
  `SELECT text FROM turns WHERE test_aware`,
  `SELECT * FROM session_data_v1.runs`,
  `SELECT * FROM session_data_v1.tests FINAL`,
  'SELECT * FROM `session_data_v1`.`turns`',
  'SELECT * FROM "session_data_v1"."turns"',
  'SELECT * FROM `session_data_v1.runs`',
  `SELECT session_data_v1.runs.id FROM runs`,
  `SELECT id FROM runs WHERE id IN session_data_v1.runs`,
  `SELECT id FROM runs WHERE id NOT IN session_data_v1.runs`,
  `SELECT id FROM runs WHERE id GLOBAL IN session_data_v1.runs`,
  `SELECT in(id, session_data_v1.runs) FROM runs`,
  `SELECT id FROM runs WHERE id IN (SELECT id FROM session_data_v1.runs)`,
  `SELECT (SELECT groupArray(text) FROM session_data_v1.turns)`,
  `SELECT * FROM runs JOIN session_data_v1.tests USING (run_id)`,
  `SELECT * FROM runs, session_data_v1.turns`,
  `WITH session_data_v1.runs AS x SELECT x`,
  `WITH t AS (SELECT * FROM session_data_v1.runs) SELECT * FROM t`,
  `SELECT * FROM runs AS session_data_v1, session_data_v1.turns`,
  `SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM session_data_v1.turns)))`,
  `SELECT EXISTS(SELECT 1 FROM session_data_v1.runs)`,
  `SELECT id FROM runs WHERE exists(SELECT 1 FROM session_data_v1.turns)`,
  `SELECT id FROM runs UNION ALL SELECT id FROM session_data_v1.runs`,
  `SELECT id FROM session_data_v1.runs EXCEPT SELECT id FROM runs`,
  `SELECT id FROM session_data_v1.runs INTERSECT SELECT id FROM session_data_v1.tests`,
  `USE session_data_v1`,
  `SELECT * FROM default.runs`,
  `SELECT * FROM nothing.runs`,
  `SELECT * FROM _local.runs`,
]

const shadowing = [
  `WITH runs AS (SELECT * FROM runs) SELECT * FROM runs`,
  `WITH runs AS (SELECT * FROM session_data_v1.runs) SELECT * FROM runs`,
  `WITH runs AS (WITH runs AS (SELECT * FROM runs) SELECT * FROM runs) SELECT * FROM runs`,
  `WITH RECURSIVE runs AS (SELECT * FROM runs UNION ALL SELECT * FROM runs) SELECT id FROM runs LIMIT 20`,
  `WITH turns AS (SELECT 'x' AS text), runs AS (SELECT * FROM turns) SELECT * FROM runs`,
  `WITH session_data_v1 AS (SELECT 1 AS runs) SELECT session_data_v1.runs FROM session_data_v1`,
  `WITH system AS (SELECT 1 AS one) SELECT * FROM system.one`,
  `SELECT * FROM (SELECT * FROM runs) AS runs`,
  `WITH 'turns' AS t SELECT * FROM t`,
  `WITH (SELECT 'session_data_v1.turns') AS t SELECT * FROM t`,
  `SELECT * FROM (WITH runs AS (SELECT * FROM runs) SELECT * FROM runs) JOIN runs USING (run_id)`,
  'WITH `runs` AS (SELECT * FROM `runs`) SELECT * FROM `runs`',
  // The scope's conditions call functions; a lambda with the same name would replace them.
  `WITH (a, b) -> 1 AS equals SELECT * FROM runs`,
  `WITH (a, b) -> toUInt8(1) AS equals SELECT * FROM turns`,
  'WITH (a, b) -> 1 AS `equals`, a -> 1 AS `not` SELECT * FROM tests',
  `WITH a -> 1 AS not SELECT * FROM runs`,
  'WITH a -> 1 AS `not` SELECT * FROM runs',
  'WITH (a, b) -> 1 AS `and` SELECT * FROM turns',
  `WITH lambda(tuple(a, b), 1) AS equals SELECT * FROM runs`,
  `WITH LAMBDA(tuple(a, b), 1) AS equals SELECT * FROM runs`,
  `WITH (a, b) -> 1 AS e, e AS equals SELECT * FROM runs`,
  `SELECT *, arrayMap(((a, b) -> 1) AS equals, [1], [2]) FROM runs`,
  `SELECT * FROM (WITH (a, b) -> 1 AS equals SELECT * FROM runs)`,
  `WITH t AS (WITH (a, b) -> 1 AS equals SELECT * FROM runs) SELECT * FROM t`,
  `SELECT * FROM runs WHERE arrayExists(((a, b) -> 1) AS equals, [1], [1])`,
  `WITH (value, type) -> toUUID('00000000-0000-4000-8000-0000000000b2') AS _CAST SELECT * FROM runs`,
  `WITH (value, type) -> toUUID('00000000-0000-4000-8000-0000000000b2') AS CAST SELECT * FROM runs`,
]

/** Errors that reveal the content of rows outside the scope, raised before the scope drops those rows. */
const oracles = [
  `SELECT count() FROM turns WHERE toUInt64(text) > 0`,
  `SELECT max(toUInt64(agent)) FROM runs`,
  `SELECT CAST(text, 'UInt64') FROM turns WHERE role = 'tool'`,
  `SELECT a.seq FROM turns a JOIN turns b ON toUInt64(a.text) = toUInt64(b.text)`,
  `SELECT throwIf(1, text) FROM turns`,
  `SELECT count() FROM turns WHERE throwIf(text LIKE '%A%', 'found it')`,
  `SELECT count() FROM turns WHERE role = 'tool' AND toDate(text) > '2020-01-01'`,
  `SELECT accurateCast(text, 'Int8') FROM turns WHERE role = 'tool'`,
  `SELECT JSONExtract(text, 'plan', text) FROM turns`,
  `SELECT parseDateTime(text, '%Y') FROM turns`,
  `SELECT text FROM turns ORDER BY toUInt64(text)`,
  `SELECT text FROM turns GROUP BY text HAVING max(toUUID(text)) != toUUID(text)`,
  `SELECT toUUID(agent) FROM runs`,
  `SELECT toDecimal64(text, 2) FROM turns QUALIFY row_number() OVER (ORDER BY toDecimal64(text, 2)) = 1`,
  `SELECT arrayJoin([toUInt64(text)]) FROM turns`,
  `SELECT intDiv(1, length(text) - length(text)) FROM turns`,
  `SELECT arrayElement(splitByChar(' ', text), toUInt64(text)) FROM turns`,
  `SELECT reinterpretAsUInt64(toFixedString(text, 3)) FROM turns`,
]

const files = ({ theirFolder, hostFile, outFile }: Targets) => [
  `SELECT * FROM file('${hostFile}', 'LineAsString')`,
  `SELECT * FROM file('${theirFolder}/**', 'RawBLOB')`,
  `SELECT * FROM file('${theirFolder}/v2/store/*/*/*/data.bin', 'RawBLOB')`,
  `SELECT file('${hostFile}')`,
  `SELECT FILE('${hostFile}')`,
  `SELECT file('/etc/passwd')`,
  "SELECT `file`('/etc/passwd')",
  `SELECT * APPLY(file) FROM (SELECT '${hostFile}' AS path)`,
  `SELECT * APPLY file FROM (SELECT '${hostFile}' AS path)`,
  `SELECT * APPLY(x -> file(x)) FROM (SELECT '${hostFile}' AS path)`,
  `SELECT COLUMNS('p') APPLY(file) FROM (SELECT '${hostFile}' AS path)`,
  `SELECT * REPLACE (file(path) AS path) FROM (SELECT '${hostFile}' AS path)`,
  `SELECT arrayMap(x -> file(x), ['${hostFile}'])`,
  `SELECT sum(length(file('${hostFile}'))) OVER (PARTITION BY file('${hostFile}')) FROM runs`,
  `SELECT count() OVER w FROM runs WINDOW w AS (ORDER BY file('${hostFile}'))`,
  `SELECT id FROM runs ORDER BY id WITH FILL FROM file('${hostFile}')`,
  `SELECT 1 AS n ORDER BY n WITH FILL TO 3 INTERPOLATE (n AS file('${hostFile}'))`,
  `SELECT id FROM runs LIMIT length(file('${hostFile}'))`,
  `SELECT id FROM runs GROUP BY GROUPING SETS ((id, file('${hostFile}')))`,
  `WITH file('${hostFile}') AS secret SELECT secret`,
  `WITH x -> file(x) AS f SELECT f('${hostFile}')`,
  `SELECT * FROM filesystem('${theirFolder}')`,
  `SELECT * FROM sqlite('${hostFile}', 't')`,
  `SELECT * FROM fileCluster('c', '${hostFile}', 'LineAsString')`,
  `SELECT * FROM executable('cat ${hostFile}', 'LineAsString', 's String')`,
  `SELECT * FROM icebergLocal('${theirFolder}')`,
  `SELECT * FROM deltaLakeLocal('${theirFolder}')`,
  `SELECT * FROM eval('cat ${hostFile}')`,
  `SELECT * FROM '${hostFile}'`,
  `SELECT 1 INTO OUTFILE '${outFile}'`,
  `SELECT 1 INTO OUTFILE '${outFile}' TRUNCATE COMPRESSION 'gzip' FORMAT CSV`,
  `SELECT * FROM (SELECT 1 INTO OUTFILE '${outFile}')`,
  `SELECT 1 UNION ALL SELECT 2 INTO OUTFILE '${outFile}'`,
  `INSERT INTO FUNCTION file('${outFile}', 'CSV') SELECT 1`,
  `SELECT catboostEvaluate('${hostFile}', 1)`,
  `BACKUP DATABASE session_data_v1 TO Disk('default', '${outFile}')`,
  `BACKUP TABLE session_data_v1.runs TO File('${outFile}')`,
]

export const hostileReach = (targets: Targets) => ({
  'other tenants': crossTenant(targets),
  shadowing,
  'errors that reveal data': oracles,
  files: files(targets),
})
