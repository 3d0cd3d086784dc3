import { z } from 'zod'

import { endpoint } from './endpoint.ts'

export const archiveType = 'application/gzip'

/**
 * Addition: a tar.gz with the versions of an experiment, their package files, and every run that has ended, with its tests,
 * scores, transcript and changes. POST /imports reads it.
 */
export const exportExperiment = endpoint({
  name: 'experiments.export',
  method: 'GET',
  path: '/experiments/:id/archive',
  summary: 'Download an experiment with its versions and ended runs as one archive, which an import reads',
  response: z.string(),
  fileTypes: [archiveType],
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found', 'resource_exhausted'],
})
