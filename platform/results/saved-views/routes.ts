import * as contract from '#contract/saved-views.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { changeMarks, changeSavedView, deleteSavedView } from './change-saved-view.ts'
import { createSavedView } from './create-saved-view.ts'
import { listSavedViews } from './list-saved-views.ts'

export const savedViewRoutes = [
  serve(contract.listSavedViews, listSavedViews),
  serve(contract.createSavedView, createSavedView, requirePerson),
  serve(contract.updateSavedView, changeSavedView, requirePerson),
  serve(contract.markSavedView, changeMarks, requirePerson),
  serve(contract.deleteSavedView, deleteSavedView, requirePerson),
]
