import { queryOptions } from '@tanstack/react-query'

import type { DefinitionTest } from '#contract/definition.ts'
import { experimentYamlOptions } from './experiments.ts'

/** The tests as defined in a version's YAML, with commands and files. The YAML parser loads on first use. */
export const definitionTestsOptions = (experimentId: string, version: string) =>
  queryOptions({
    queryKey: ['experiments', 'definitionTests', experimentId, version],
    queryFn: async ({ client }): Promise<readonly DefinitionTest[]> => {
      const [text, { checkText }] = await Promise.all([
        client.ensureQueryData(experimentYamlOptions(experimentId, version)),
        import('#src/editor/check-text.ts'),
      ])
      return checkText(text).definition?.tests ?? []
    },
    staleTime: Infinity,
  })
