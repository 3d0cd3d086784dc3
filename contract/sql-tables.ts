// After a change: increase `schemaVersion` in platform/analysis/analytics/create-tables.ts. What fills a new column is in
// platform/analysis/projection/to-rows.ts.

/** A column of an analytics table: its ClickHouse type and its description. */
export type AnalyticsColumn = { name: string; type: string; says: string }

type Table = { name: string; says: string; columns: readonly AnalyticsColumn[] }

const column = (name: string, type: string, says: string): AnalyticsColumn => ({ name, type, says })

/** Columns that repeat values of the run, so that most queries need no join. */
const ofRun = [
  column('run_id', 'UUID', 'Run UUID (join key)'),
  column('id', 'String', 'Composite run id, used in URLs'),
  column('run_request_id', 'UUID', 'Run request UUID'),
  column('experiment_id', 'LowCardinality(String)', 'Experiment id'),
  column('version_fingerprint', 'LowCardinality(String)', 'Fingerprint of the experiment version'),
  column('version_ordinal', 'UInt32', 'Version number (N in vN)'),
  column('variant_id', 'LowCardinality(String)', 'Axis values of the run, joined by ~'),
  column('agent', 'LowCardinality(String)', 'Axis: agent'),
  column('agent_mode', 'LowCardinality(Nullable(String))', 'Axis: agent mode'),
  column('model', 'LowCardinality(Nullable(String))', 'Axis: model'),
  column('product', 'LowCardinality(Nullable(String))', 'Axis: product'),
  column('environment', 'LowCardinality(Nullable(String))', 'Axis: environment'),
  column('prompt', 'LowCardinality(Nullable(String))', 'Axis: prompt'),
  column('repeat', 'UInt32', 'Repeat number within the variant, from 1'),
  column('mock', 'Bool', 'Whether the run is a mock run'),
  column('status', 'LowCardinality(String)', 'completed, errored or canceled'),
  column(
    'infrastructure_cause',
    'LowCardinality(Nullable(String))',
    'Why the run says nothing about its agent. Infrastructure ended it: worker_lost, worker_failed, sandbox, disk_full, image_pull or provider_outage. Or its agent never started: image_unusable, setup_failed or agent_not_started. Null for all other runs. Leaderboards and charts leave these runs out',
  ),
  column('test_aware', 'Bool', 'Whether the agent noticed it was being tested; excluded by default'),
  column('full_pass', 'Bool', 'Whether at least one test passed and no test failed, errored or was unresolved'),
  column('ended_at', "DateTime64(6, 'UTC')", 'When the run ended'),
]

const scopeOfRun = ofRun.filter(({ name }) => ['run_id', 'id', 'experiment_id', 'test_aware'].includes(name))

const tags = column(
  'tags',
  'Array(LowCardinality(String))',
  "Tags that people put on the run itself, sorted. has(tags, 'name') finds one",
)

const runs = {
  name: 'runs',
  says: 'One row per finished run',
  columns: [
    ...ofRun,
    tags,
    column('triggered_by', 'UUID', 'UUID of the submitter'),
    column('passed', 'UInt32', 'Tests that passed'),
    column('failed', 'UInt32', 'Tests that failed'),
    column('unresolved', 'UInt32', 'Tests that timed out or never ran'),
    column('errored', 'UInt32', 'Tests that could not start'),
    column('skipped', 'UInt32', 'Tests that were skipped'),
    column(
      'solved',
      'Nullable(Bool)',
      'Whether every test passed; null for runs that were canceled, that have no tests, or that are left out (infrastructure_cause)',
    ),
    column(
      'pass_rate',
      'Nullable(Float64)',
      'passed ÷ tests not skipped, 0 to 1; null without such tests, and for runs that are left out (infrastructure_cause)',
    ),
    column('cost_usd', 'Nullable(Float64)', 'Model calls in US dollars; null if unknown'),
    column('compute_usd', 'Nullable(Float64)', 'Time on a worker in US dollars; null for mock and imported runs'),
    column('wall_seconds', 'Nullable(Float64)', 'Duration of the agent in seconds'),
    column('tool_calls', 'Nullable(UInt32)', 'Tool calls; null for plain-text transcripts'),
    column('tool_failures', 'Nullable(UInt32)', 'Failed tool calls'),
    column('input_tokens', 'Nullable(UInt64)', 'Input tokens'),
    column('output_tokens', 'Nullable(UInt64)', 'Output tokens'),
    column('total_tokens', 'Nullable(UInt64)', 'Input and output tokens'),
    column('time_limit_hit', 'Nullable(Bool)', 'Whether the run timed out'),
    column('image_digest', 'LowCardinality(Nullable(String))', 'Digest of the image it ran in; null without an image'),
    column(
      'scores',
      'Map(LowCardinality(String), Nullable(Float64))',
      "Scores by name: scores['correctness'] is null for a run without a known value",
    ),
    column(
      'status_reason',
      'Nullable(String)',
      'Why the run has its status, such as an error or the exit code of the agent with the end of its stderr',
    ),
    column('created_at', "DateTime64(6, 'UTC')", 'When it was submitted'),
    column('started_at', "Nullable(DateTime64(6, 'UTC'))", 'When it started; null if it never started'),
  ],
} as const satisfies Table

const tests = {
  name: 'tests',
  says: 'One row per captured test of a finished run',
  columns: [
    ...ofRun,
    tags,
    column('test_name', 'LowCardinality(String)', 'Test name; report cases are <test>/<case>'),
    column('ordinal', 'UInt32', 'Position among the tests of the run'),
    column(
      'outcome',
      "Enum8('passed' = 1, 'failed' = 2, 'unresolved' = 3, 'errored' = 4, 'skipped' = 5)",
      'Test outcome',
    ),
    column('exit_code', 'Nullable(Int32)', 'Exit code of the command; null for report cases'),
    column('duration_ms', 'Nullable(Float64)', 'Duration in milliseconds'),
  ],
} as const satisfies Table

const turns = {
  name: 'turns',
  says: 'One row per turn of a finished run’s transcript',
  columns: [
    ...scopeOfRun,
    column('seq', 'UInt32', 'Position in the transcript'),
    column('ts', "Nullable(DateTime64(6, 'UTC'))", 'Timestamp, if recorded'),
    column('role', 'LowCardinality(String)', 'system, user, assistant or tool'),
    column('kind', 'LowCardinality(String)', 'message, reasoning, tool_call, tool_result or output'),
    column('tool', 'LowCardinality(Nullable(String))', 'Tool name'),
    column('failed', 'Nullable(Bool)', 'Whether the tool call failed'),
    column('text', 'String', 'Text of the message, tool call or tool result'),
    column('call_id', 'Nullable(String)', 'Id that a call and its result have in common; null if none was printed'),
    column('parent_call_id', 'Nullable(String)', 'Call whose agent this turn is of, such as a subagent'),
    column('summary', 'Nullable(String)', 'What the call does, in one line; null for other turns'),
  ],
} as const satisfies Table

const spans = {
  name: 'spans',
  says: 'One row per span that the agent of a finished run traced with OpenTelemetry',
  columns: [
    ...scopeOfRun,
    column('seq', 'UInt32', 'Position in the order of arrival, from 1'),
    column('trace_id', 'String', 'Id of the trace'),
    column('span_id', 'String', 'Id of the span'),
    column('parent_span_id', 'Nullable(String)', 'Id of the span that it is a part of; null for the outermost'),
    column('name', 'String', 'Name that the agent gave the span'),
    column('category', 'LowCardinality(String)', 'agent, model, tool, command or other'),
    column('service', 'LowCardinality(Nullable(String))', 'service.name of the program that traced it'),
    column('status', 'LowCardinality(String)', 'unset, ok or error'),
    column('status_message', 'Nullable(String)', 'Why it failed'),
    column('started_at', "DateTime64(6, 'UTC')", 'When it started'),
    column('duration_ms', 'Float64', 'Duration in milliseconds'),
    column('operation', 'LowCardinality(Nullable(String))', 'gen_ai.operation.name, such as chat or execute_tool'),
    column('model', 'LowCardinality(Nullable(String))', 'Model that answered, or else the one that was asked for'),
    column('tool', 'LowCardinality(Nullable(String))', 'gen_ai.tool.name'),
    column('call_id', 'Nullable(String)', 'gen_ai.tool.call.id, which may be the call_id of a turn'),
    column('input_tokens', 'Nullable(UInt64)', 'Input tokens that the agent reported'),
    column('output_tokens', 'Nullable(UInt64)', 'Output tokens that the agent reported'),
    column('attributes', 'Map(String, String)', "All attributes as text: attributes['gen_ai.request.model']"),
  ],
} as const satisfies Table

const failures = {
  name: 'failures',
  says: 'One row per failure of a finished run: of a test, a tool call, or the run itself',
  columns: [
    ...ofRun,
    column('place', 'UInt32', 'Position among the failures of the run'),
    column(
      'kind',
      'LowCardinality(String)',
      'message, exit_code, test, tool_error, agent_exit, timeout, run_error or infrastructure',
    ),
    column('signature', 'String', 'The message, with numbers, paths, quotes and the like replaced by placeholders'),
    column('signature_id', 'String', 'Id of kind and signature, used in URLs'),
    column('test_name', 'LowCardinality(Nullable(String))', 'The failed test; null for other failures'),
    column('turn', 'Nullable(UInt32)', 'Turn of the failed tool call'),
    column('example', 'String', 'What was printed'),
  ],
} as const satisfies Table

const outputs = {
  name: 'outputs',
  says: 'One row per output stream of a captured test',
  columns: [
    ...scopeOfRun,
    column('test_name', 'LowCardinality(String)', 'Test name'),
    column('ordinal', 'UInt32', 'Position among the tests of the run'),
    column('stream', "Enum8('stdout' = 1, 'stderr' = 2)", 'stdout or stderr'),
    column('text', 'String', 'The last 64 KiB that the test printed'),
  ],
} as const satisfies Table

const labels = {
  name: 'labels',
  says: 'One row per label that a person put on a finished run, a test or a turn',
  columns: [
    ...scopeOfRun,
    column('slot', 'UInt32', 'Position among the labels of the run'),
    column('kind', 'LowCardinality(String)', 'tag, note or dispute'),
    column('text', 'String', 'Name of the tag, the note, or the reason of the dispute'),
    column('claimed_outcome', 'LowCardinality(Nullable(String))', 'Outcome that a dispute claims: solved or unsolved'),
    column('test_name', 'LowCardinality(Nullable(String))', 'The test it is about; null for the run and for turns'),
    column('turn', 'Nullable(UInt32)', 'The turn it is about; null for the run and for tests'),
    column('created_by', 'UUID', 'UUID of the author'),
    column('created_at', "DateTime64(6, 'UTC')", 'When it was added'),
  ],
} as const satisfies Table

const scores = {
  name: 'scores',
  says: 'One row per score of a finished run, such as a reward',
  columns: [
    ...ofRun,
    tags,
    column('name', 'LowCardinality(String)', 'Name of the score'),
    column('ordinal', 'UInt32', 'Position among the scores of the run'),
    column('value', 'Nullable(Float64)', 'The number; null if it is unknown, never 0 instead'),
    column('threshold', 'Float64', 'The least value with which it passes'),
  ],
} as const satisfies Table

/**
 * The tables of `session_data_v1`, which SQL of both query routes and of saved insights can use. The engine's tables are
 * created from this list.
 */
export const analyticsTables = [runs, tests, turns, spans, failures, outputs, labels, scores] as const

export type AnalyticsTable = (typeof analyticsTables)[number]['name']

export const analyticsTableNames: readonly AnalyticsTable[] = analyticsTables.map(({ name }) => name)
