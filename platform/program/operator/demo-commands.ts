import { z } from 'zod'

import { removeDemo } from '#platform/program/demo/remove-demo.ts'
import { command } from './command.ts'

export const demoCommands = [
  command({
    name: 'demo remove',
    input: z.object({}),
    writesAnalytics: true,
    run: (services) => removeDemo(services),
  }),
]
