import type { Context } from '#platform/ground/context/context.ts'
import { findPromptTasks } from '#platform/inputs/experiments/find-prompt-tasks.ts'
import { allVersions, type ChartScope } from './chart-scope.ts'

/** The prompts that name their task, in the version of a chart or over all versions. */
export const tasksOfChart = ({ db }: Context, { version, ...key }: ChartScope) =>
  findPromptTasks(db, key, version === allVersions ? null : version)
