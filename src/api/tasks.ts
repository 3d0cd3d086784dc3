import { keepPreviousData } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { getTask, listTasks } from '#contract/tasks.ts'
import { endpointOptions } from './query-client.ts'

/** The tasks of a version never change. */
const staleTime = 300_000

export const taskListOptions = (input: CallInput<typeof listTasks>) => ({
  ...endpointOptions(listTasks, input),
  placeholderData: keepPreviousData,
  staleTime,
})

export const taskOptions = (input: CallInput<typeof getTask>) => ({ ...endpointOptions(getTask, input), staleTime })
