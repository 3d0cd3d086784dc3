import * as contract from '#contract/insights.ts'
import { serve } from '#platform/http/serve.ts'
import { executeInsight } from './execute-insight.ts'

export const insightRoutes = [serve(contract.executeInsight, executeInsight)]
