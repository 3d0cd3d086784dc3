import * as contract from '#contract/tests.ts'
import { serve } from '#platform/http/serve.ts'
import { getTest } from './get-test.ts'
import { listTests } from './list-tests.ts'

export const testRoutes = [serve(contract.listTests, listTests), serve(contract.getTest, getTest)]
