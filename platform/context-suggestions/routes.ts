import { suggestContext as endpoint } from '#contract/context-suggestions.ts'
import { serve } from '#platform/context/serve.ts'
import { suggestContext } from './suggest-context.ts'

export const contextSuggestionRoutes = [serve(endpoint, suggestContext)]
