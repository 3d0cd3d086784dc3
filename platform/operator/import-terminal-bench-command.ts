import { z } from 'zod'

import { ExperimentId } from '#contract/definition.ts'
import { requireOperator } from '#platform/identity/require-operator.ts'
import { importTerminalBench } from '#platform/import/terminal-bench/import-terminal-bench.ts'
import { command } from './command.ts'

export const importTerminalBenchCommand = command({
  name: 'import terminal-bench',
  input: z.object({ folder: z.string(), org: z.string(), experiment: ExperimentId }),
  run: async (services, { folder, org, experiment }, report) => {
    const context = await requireOperator(services, org)
    const receipt = await importTerminalBench(context, {
      folder,
      experimentId: experiment,
      onProgress: (done, total) => report({ done, total, label: 'runs' }),
    })
    services.wakeProjector()
    return [
      `Imported ${receipt.imported} runs into ${experiment}; ${receipt.alreadyThere} were already imported`,
      ...receipt.skipped.map(({ file, reason }) => `Skipped ${file}: ${reason}`),
    ]
  },
})
