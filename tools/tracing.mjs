// Preloaded into every program. It costs nothing unless the operator names an OpenTelemetry collector.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT || process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
  await import('./send-spans.mjs')
