import * as contract from '#contract/bulk-actions.ts'
import { serve, servePolled } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { getAction } from './get-action.ts'
import { proposeAction } from './propose-action.ts'
import { startAction, stopAction } from './start-action.ts'
import { listActions } from './to-bulk-action.ts'

export const bulkActionRoutes = [
  servePolled(contract.listBulkActions, listActions, () => 'anything'),
  serve(contract.proposeBulkAction, proposeAction, requirePerson),
  serve(contract.getBulkAction, getAction),
  serve(contract.startBulkAction, startAction, requirePerson),
  serve(contract.stopBulkAction, stopAction, requirePerson),
]
