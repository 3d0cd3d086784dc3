import { getHome as endpoint } from '#contract/home.ts'
import { servePolled } from '#platform/ground/context/serve.ts'
import { getHome } from './get-home.ts'

export const homeRoutes = [servePolled(endpoint, getHome, () => 'anything')]
