import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ABORTED } from "@/kernel/api/errors";
import { renderPage, signInAs } from "@/testing/render";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { ResumableUpload, type UploadProgress } from "./resumable";
import { formatBytes, refusal } from "./slots";
import { Upload } from "./Upload";

/** A server that stores chunks and may lose connections. */
function uploadServer(chunkSize = 4) {
  const state = {
    stored: "",
    begun: 0,
    chunks: 0,
    sha256: "",
    failNext: 0,
    hold: null as Promise<void> | null,
  };
  server.use(
    http.post(api("/infra/file/upload-begin"), async ({ request }) => {
      const body = (await request.json()) as { sha256?: string };
      state.begun += 1;
      state.sha256 = body.sha256 ?? "";
      state.stored = "";
      return ok({ uploadId: "u1", offset: 0, chunkSize });
    }),
    http.put(api("/infra/file/upload-chunk"), async ({ request }) => {
      const offset = Number(new URL(request.url).searchParams.get("offset"));
      const text = await request.text();
      if (state.hold) await state.hold;
      state.chunks += 1;
      if (state.failNext > 0) {
        state.failNext -= 1;
        // Half of the chunk arrived before the line broke.
        state.stored = state.stored.slice(0, offset) + text.slice(0, 2);
        return HttpResponse.error();
      }
      if (offset !== state.stored.length) return failure(400, "偏移不正确");
      state.stored += text;
      return ok({ offset: state.stored.length });
    }),
    http.get(api("/infra/file/upload-status"), () => ok({ offset: state.stored.length, size: 10 })),
    http.post(api("/infra/file/upload-finish"), () => ok({ id: 77, name: "a.pdf", size: 10 })),
  );
  return state;
}

function file(text = "0123456789", name = "a.pdf"): File {
  return new File([text], name, { lastModified: 1 });
}

beforeEach(() => signInAs());

describe("a resumable upload", () => {
  test("sends the file in chunks with its hash and tells the progress", async () => {
    const state = uploadServer();
    const seen: UploadProgress[] = [];
    const done = await new ResumableUpload(file(), "document", (progress) => seen.push(progress)).run();
    expect(done.id).toBe(77);
    expect(state).toMatchObject({ stored: "0123456789", chunks: 3, begun: 1 });
    expect(state.sha256).toBe("84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882");
    expect(seen.map((progress) => progress.loaded).at(-1)).toBe(10);
    expect(localStorage.length).toBe(1);
  });

  test("after a broken line it asks the server where it is and goes on there", async () => {
    const state = uploadServer();
    state.failNext = 1;
    await new ResumableUpload(file(), "document", () => {}).run();
    expect(state.stored).toBe("0123456789");
    expect(state.begun).toBe(1);
  });

  test("a file chosen again goes on with the upload the server still knows", async () => {
    const state = uploadServer();
    localStorage.setItem("viva-upload:document:a.pdf:10:1", "u1");
    state.stored = "0123";
    await new ResumableUpload(file(), "document", () => {}).run();
    expect(state).toMatchObject({ stored: "0123456789", begun: 0, chunks: 1 });
  });

  test("an upload the server forgot begins anew", async () => {
    const state = uploadServer();
    localStorage.setItem("viva-upload:document:a.pdf:10:1", "gone");
    server.use(
      http.get(api("/infra/file/upload-status"), () => failure(1070000001, "不存在"), { once: true }),
    );
    await new ResumableUpload(file(), "document", () => {}).run();
    expect(state).toMatchObject({ stored: "0123456789", begun: 1 });
  });

  test("can be paused and resumed", async () => {
    const state = uploadServer();
    let release = () => {};
    state.hold = new Promise((resolve) => {
      release = resolve;
    });
    const upload = new ResumableUpload(file(), "document", () => {});
    const first = upload.run();
    await vi.waitFor(() => expect(state.begun).toBe(1));
    upload.pause();
    await expect(first).rejects.toMatchObject({ code: ABORTED });
    release();
    state.hold = null;
    await upload.run();
    expect(state.stored).toBe("0123456789");
    expect(state.begun).toBe(1);
  });

  test("a refusal of the server is final", async () => {
    uploadServer();
    server.use(http.post(api("/infra/file/upload-finish"), () => failure(1001003009, "文件内容不是 PDF")));
    await expect(new ResumableUpload(file(), "document", () => {}).run()).rejects.toMatchObject({
      msg: "文件内容不是 PDF",
    });
  });
});

describe("files that cannot be taken", () => {
  const cases: [string, File, string, string][] = [
    [
      "another type",
      file("x", "a.zip"),
      "document",
      "文件未上传：要求 PDF、DOC、DOCX，您选择的是 .zip。请另存为要求的格式后再上传。",
    ],
    ["empty", file("", "a.pdf"), "document", "文件未上传：「a.pdf」是空文件。"],
    ["right type", file("x", "A.PDF"), "document", ""],
    ["unknown slot takes any type", file("x", "a.bin"), "other", ""],
  ];
  test.each(cases)("%s", (_name, chosen, slot, reason) => expect(refusal(chosen, slot)).toBe(reason));

  test("too large", () => {
    const large = file();
    Object.defineProperty(large, "size", { value: 60 * 1024 * 1024 });
    expect(refusal(large, "document")).toBe("文件未上传：「a.pdf」为 60 MB，上限是 50 MB。请压缩后再上传。");
  });

  test("sizes in words", () => {
    expect([500, 2048, 5 * 1024 * 1024, 3 * 1024 ** 3].map(formatBytes)).toEqual([
      "500 B",
      "2.0 KB",
      "5 MB",
      "3 GB",
    ]);
  });
});

describe("the upload field", () => {
  function Field({ max }: { max?: number }) {
    const [value, setValue] = useState<number | number[] | null>(null);
    return (
      <>
        <Upload slot="document" max={max} value={value} onChange={setValue} />
        <output data-testid="value">{JSON.stringify(value)}</output>
      </>
    );
  }
  const choose = (...files: File[]) =>
    fireEvent.change(screen.getByLabelText("选择文件"), { target: { files } });

  test("keeps the id of one file and can remove it", async () => {
    uploadServer();
    renderPage(<Field />);
    await screen.findByText(/支持 PDF、DOC、DOCX，单个文件不超过 50 MB/);
    choose(file());
    await screen.findByText("a.pdf");
    await waitFor(() => expect(screen.getByTestId("value").textContent).toBe("77"));
    fireEvent.click(screen.getByRole("button", { name: "移除：a.pdf" }));
    expect(screen.getByTestId("value").textContent).toBe("null");
  });

  test("says why a file was not taken", async () => {
    renderPage(<Field />);
    await screen.findByText(/支持 PDF/);
    choose(file("x", "a.html"));
    expect((await screen.findByRole("alert")).textContent).toContain("您选择的是 .html");
  });

  test("takes no more than allowed", async () => {
    uploadServer();
    renderPage(<Field max={1} />);
    await screen.findByText(/支持 PDF/);
    choose(file(), file("0123456789", "b.pdf"));
    expect((await screen.findByRole("alert")).textContent).toContain("最多上传 1 个文件");
    await waitFor(() => expect(screen.getByTestId("value").textContent).toBe("77"));
  });

  test("shows a failure and resumes on demand", async () => {
    const state = uploadServer();
    server.use(http.post(api("/infra/file/upload-begin"), () => failure(413, "文件过大"), { once: true }));
    renderPage(<Field />);
    await screen.findByText(/支持 PDF/);
    choose(file());
    await screen.findByText("上传未完成：文件过大");
    fireEvent.click(screen.getByRole("button", { name: "继续：a.pdf" }));
    await waitFor(() => expect(screen.getByTestId("value").textContent).toBe("77"));
    expect(state.stored).toBe("0123456789");
  });
});
