import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const source = fileURLToPath(new URL("./src", import.meta.url));

// The Go server may live under any base path, known only at run time: every asset
// address is relative, index.html resolves them against the <base href> the server writes.
export default defineConfig({
  base: "./",
  plugins: [react()],
  resolve: { alias: { "@": source } },
  build: {
    target: "es2022",
    manifest: true,
    sourcemap: false,
    chunkSizeWarningLimit: 800,
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/admin-api": { target: process.env.VIVA_API ?? "http://127.0.0.1:8080" } },
  },
});
