import * as contract from '#contract/identity.ts'
import { serve } from '#platform/context/serve.ts'
import { whoami } from './whoami.ts'

export const identityRoutes = [serve(contract.whoami, whoami)]
