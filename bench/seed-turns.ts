type Run = (sql: string, parameters: Record<string, string | number>) => Promise<unknown>

type Seed = { organizationId: string; experimentId: string; runCount: number; turnsPerRun: number }

/** Inserts in batches like the projector, so that the engine's table has parts to merge. */
const runsPerBatch = 500

/**
 * Gives the runs of an experiment turns of about 400 characters, generated in the engine. All of them have `assistant
 * wrote`, one in 1,000 has `ECONNREFUSED` and one in 100,000 `Segmentation fault`.
 */
export async function seedTurns(run: Run, { runCount, turnsPerRun, ...ids }: Seed) {
  for (let first = 0; first < runCount; first += runsPerBatch)
    await run(
      `INSERT INTO turns (organization_id, run_id, id, experiment_id, test_aware, seq, role, kind, text)
       SELECT organization_id, run_id, id, experiment_id, test_aware, seq, 'assistant', 'message',
         concat('assistant wrote ', hex(sipHash128(run_id, seq)), ' and then ', randomPrintableASCII(200), ' ',
           repeat(concat('step ', toString(seq), ' of the plan; '), 5),
           if(sipHash64(run_id, seq) % 1000 = 7, ' connect ECONNREFUSED 127.0.0.1', ''),
           if(sipHash64(seq, run_id) % 100000 = 7, ' Segmentation fault', ''))
       FROM (SELECT * FROM runs WHERE organization_id = toUUID({organizationId:String}) AND experiment_id = {experimentId:String}
         ORDER BY run_id LIMIT ${runsPerBatch} OFFSET {first:UInt64})
       ARRAY JOIN range(1, ${turnsPerRun + 1}) AS seq`,
      { ...ids, first },
    )
}
