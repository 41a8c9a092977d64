import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      // Their form for Node cannot load the drawing kit, which is all modules.
      { find: /^diagram-js-minimap$/, replacement: "diagram-js-minimap/dist/index.esm.js" },
      {
        find: /^bpmn-js-create-append-anything$/,
        replacement: "bpmn-js-create-append-anything/dist/index.es.js",
      },
    ],
  },
  test: {
    environment: "happy-dom",
    environmentOptions: {
      happyDOM: {
        url: "http://localhost/",
        settings: { handleDisabledFileLoadingAsSuccess: true },
      },
      jsdom: { url: "http://localhost/" },
    },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    server: { deps: { inline: [/diagram-js-/, /bpmn-js-/, /bpmn-auto-layout/] } },
    restoreMocks: true,
    testTimeout: 60000,
    maxWorkers: 2,
  },
});
