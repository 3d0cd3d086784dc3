import { config } from 'zod'

// Imported before any schema is built: zod would try `new Function`, which our Content-Security-Policy reports.
config({ jitless: true })
