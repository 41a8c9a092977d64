import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { dicts } from "../shared/fixture";
import MyTopicPage from "./topic";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const topic = {
  id: 4,
  version: 2,
  advisorId: 5,
  advisorName: "陈远",
  deptId: 11,
  title: "知识图谱构建",
  summary: "内容",
  thesisType: 2,
  thesisSource: 8,
  sourceNo: "",
  degreeLevel: 0,
  majorIds: [],
  semester: "",
  maxStudents: 3,
  takenCount: 1,
  state: 0,
};

let state: number;
let calls: string[];
let asked: URLSearchParams[];

beforeEach(() => {
  state = 0;
  calls = [];
  asked = [];
  signInAs({ user: { id: 7, username: "advisor01", nickname: "陈远", type: 2 }, teacherDto: { id: 5 } });
  fillDicts({ ...dicts, thesis_topic_state: { 0: "未发布", 1: "已发布", 2: "已关闭" } });
  server.use(
    http.get(api("/thesis/topic/page"), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return ok({ list: [{ ...topic, state }], total: 1 });
    }),
    http.put(api("/thesis/topic/:act"), ({ request }) => {
      const url = new URL(request.url);
      calls.push(url.pathname.split("/").at(-1) + url.search);
      state = url.pathname.endsWith("publish") ? 1 : 2;
      return ok(true);
    }),
  );
});

test("only my topics are asked for; one is published, then closed after a question", async () => {
  renderPage(<MyTopicPage />);
  await screen.findByText("1 / 3 已选");
  expect(asked[0]?.get("advisorId")).toBe("5");
  fireEvent.click(screen.getByRole("button", { name: "发布 知识图谱构建" }));
  await waitFor(() => expect(calls).toEqual(["publish?id=4&version=2"]));
  fireEvent.click(await screen.findByRole("button", { name: "关闭 知识图谱构建" }));
  const dialog = await screen.findByRole("dialog");
  within(dialog).getByText(/已选的学生不受影响/);
  fireEvent.click(within(dialog).getByRole("button", { name: "确定" }));
  await waitFor(() => expect(calls).toHaveLength(2));
});

test("a refused act says why", async () => {
  server.use(
    http.put(api("/thesis/topic/:act"), () => failure(1070000002, "数据已被他人修改，请刷新后重试")),
  );
  renderPage(<MyTopicPage />);
  fireEvent.click(await screen.findByRole("button", { name: "发布 知识图谱构建" }));
  await screen.findByText("数据已被他人修改，请刷新后重试");
});
