import * as contract from '#contract/resources.ts'
import { serve } from '#platform/context/serve.ts'
import { addResources } from './add-resources.ts'
import { deleteResource } from './delete-resource.ts'
import { updateResource } from './update-resource.ts'

export const resourceRoutes = [
  serve(contract.addResources, addResources),
  serve(contract.updateResource, updateResource),
  serve(contract.deleteResource, deleteResource),
]
