/** A column of an analytics table: ClickHouse's name of its type, and what it says. */
export type AnalyticsColumn = { name: string; type: string; says: string }

export type AnalyticsTableDoc = { name: string; says: string; columns: readonly AnalyticsColumn[] }

const column = (name: string, type: string, says: string): AnalyticsColumn => ({ name, type, says })

/** What `tests` repeats of its run, so that most questions need no join. */
const ofRun = [
  column('run_id', 'UUID', 'The run, as cancel takes it; joins the tables'),
  column('id', 'String', 'Composite id of the run: its page, and what /runs/{id} takes'),
  column('run_request_id', 'UUID', 'The request that submitted the run'),
  column('experiment_id', 'LowCardinality(String)', 'The experiment'),
  column('version_fingerprint', 'LowCardinality(String)', 'Which version of the experiment'),
  column('version_ordinal', 'UInt32', 'The same as vN'),
  column('variant_id', 'LowCardinality(String)', 'The axis values of the run, joined by ~'),
  column('agent', 'LowCardinality(String)', 'Axis: agent'),
  column('agent_mode', 'LowCardinality(Nullable(String))', 'Axis: mode of the agent'),
  column('model', 'LowCardinality(Nullable(String))', 'Axis: model'),
  column('product', 'LowCardinality(Nullable(String))', 'Axis: product'),
  column('environment', 'LowCardinality(Nullable(String))', 'Axis: environment'),
  column('prompt', 'LowCardinality(Nullable(String))', 'Axis: prompt'),
  column('repeat', 'UInt32', 'Which repeat of its variant, from 1'),
  column('mock', 'Bool', 'Run by the mock driver'),
  column('status', 'LowCardinality(String)', 'completed, errored or canceled'),
  column('test_aware', 'Bool', 'The agent noticed that it was tested; left out unless asked for'),
  column('full_pass', 'Bool', 'At least one test passed and none failed, was unresolved or errored'),
  column('ended_at', "DateTime64(6, 'UTC')", 'When the run ended'),
]

const runs: AnalyticsTableDoc = {
  name: 'runs',
  says: 'One row per finished run',
  columns: [
    ...ofRun,
    column('triggered_by', 'UUID', 'Who submitted it'),
    column('passed', 'UInt32', 'Tests that passed'),
    column('failed', 'UInt32', 'Tests that failed'),
    column('unresolved', 'UInt32', 'Tests that timed out or never ran'),
    column('errored', 'UInt32', 'Tests that could not start'),
    column('skipped', 'UInt32', 'Tests that were skipped'),
    column('pass_rate', 'Nullable(Float64)', 'passed ÷ all but skipped, 0 to 1; null when nothing counted'),
    column('cost_usd', 'Nullable(Float64)', 'US dollars; null when not known'),
    column('wall_seconds', 'Nullable(Float64)', 'Seconds the agent took'),
    column('tool_calls', 'Nullable(UInt32)', 'Tool calls; null for plain-text transcripts'),
    column('tool_failures', 'Nullable(UInt32)', 'Tool calls that failed'),
    column('input_tokens', 'Nullable(UInt64)', 'Tokens read'),
    column('output_tokens', 'Nullable(UInt64)', 'Tokens written'),
    column('total_tokens', 'Nullable(UInt64)', 'Both together'),
    column('time_limit_hit', 'Nullable(Bool)', 'Ended because its time ran out'),
    column('created_at', "DateTime64(6, 'UTC')", 'When it was submitted'),
    column('started_at', "Nullable(DateTime64(6, 'UTC'))", 'When it began to run; null when it never did'),
  ],
}

const tests: AnalyticsTableDoc = {
  name: 'tests',
  says: 'One row per captured test of a finished run',
  columns: [
    ...ofRun,
    column('test_name', 'LowCardinality(String)', 'The test; cases of a report are <test>/<case>'),
    column('ordinal', 'UInt32', 'Its place among the tests of the run'),
    column(
      'outcome',
      "Enum8('passed' = 1, 'failed' = 2, 'unresolved' = 3, 'errored' = 4, 'skipped' = 5)",
      'What became of it',
    ),
    column('exit_code', 'Nullable(Int32)', 'Of its command; null for cases of a report'),
    column('duration_ms', 'Nullable(Float64)', 'Milliseconds it took'),
  ],
}

const turns: AnalyticsTableDoc = {
  name: 'turns',
  says: 'One row per turn of a finished run’s transcript',
  columns: [
    ...ofRun.filter(({ name }) => ['run_id', 'id', 'experiment_id', 'test_aware'].includes(name)),
    column('seq', 'UInt32', 'Its place in the transcript'),
    column('ts', "Nullable(DateTime64(6, 'UTC'))", 'When, if the agent told'),
    column('role', 'LowCardinality(String)', 'system, user, assistant or tool'),
    column('kind', 'LowCardinality(String)', 'message, reasoning, tool_call, tool_result or output'),
    column('tool', 'LowCardinality(Nullable(String))', 'The tool called'),
    column('failed', 'Nullable(Bool)', 'Whether the tool call failed'),
    column('text', 'String', 'What was said, called or answered'),
  ],
}

/**
 * The tables that SQL of both query routes and of saved insights may name (`session_data_v1`). A test of the platform checks
 * that the engine describes them the same way.
 */
export const analyticsTables: readonly AnalyticsTableDoc[] = [runs, tests, turns]
