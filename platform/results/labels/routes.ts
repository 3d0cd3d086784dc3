import * as contract from '#contract/labels.ts'
import { getReview } from '#contract/reviews.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { addLabel } from './add-label.ts'
import { changeLabel, deleteLabel } from './change-label.ts'
import { listLabels, listTags } from './list-labels.ts'
import { summarizeReview } from './summarize-review.ts'

export const labelRoutes = [
  serve(contract.listLabels, listLabels),
  serve(contract.addLabel, addLabel, requirePerson),
  serve(contract.changeLabel, changeLabel, requirePerson),
  serve(contract.deleteLabel, deleteLabel, requirePerson),
  serve(contract.listTags, listTags),
  serve(getReview, summarizeReview),
]
