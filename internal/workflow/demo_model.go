package workflow

import (
	"context"
	"embed"
	"fmt"

	"viva/internal/kernel/store"
)

//go:embed demo/*.bpmn
var demoFiles embed.FS

// demoModel is a model of the demo university; rules are those its diagram leaves open.
type demoModel struct {
	key, name, description, category string
	create, view                     string
	title                            string // of its instances; empty leaves the name of the process
	withdraw                         bool
	form                             func() (Form, error) // of a process without pages of its own
	rules                            []demoRule
}

// demoRule is a stored rule; role is the code of a role, whose id differs by tenant.
type demoRule struct {
	task     string
	ruleType int
	options  []int64
	role     string
}

var demoModels = []demoModel{
	{key: "oa_leave", name: "请假申请", description: "部门负责人审批，超过三天的由人事再审", category: "student_affairs",
		create: "/bpm/oa/leave/create", view: "/bpm/oa/leave/detail", title: "{PROCESS_DEFINITION_NAME}：{day} 天，{reason}", withdraw: true,
		rules: []demoRule{{task: "leader", ruleType: typeScript, options: []int64{20}}, {task: "hr", ruleType: 10, role: "grad_training"}}},
	{key: "seal_apply", name: "用印申请", description: "合同、证明和成绩单盖章", category: "office", title: "用印申请：{document}", withdraw: true, form: demoSealForm,
		rules: []demoRule{{task: "leader", ruleType: typeScript, options: []int64{20}}, {task: "office", ruleType: 10, role: "grad_training"}}},
}

const sqlRoleByCode = `SELECT id FROM system_role WHERE tenant_id = :tenant AND deleted = false AND code = :code`

// DemoModels makes and deploys the models of the demo in the tenant of ctx, as the
// system, after DemoSeed. A model that is there already is left as it is.
func (s *Service) DemoModels(ctx context.Context) error {
	return store.Write(ctx, func(ctx context.Context) error {
		for _, demo := range demoModels {
			_, taken, err := store.Get[int64](ctx, sqlModelByKey, store.Args{"key": demo.key})
			if err == nil && !taken {
				err = s.demoModel(ctx, demo)
			}
			if err != nil {
				return fmt.Errorf("model %s: %w", demo.key, err)
			}
		}
		return nil
	})
}

func (s *Service) demoModel(ctx context.Context, demo demoModel) error {
	xml, err := demoFiles.ReadFile("demo/" + demo.key + ".bpmn")
	if err != nil {
		return err
	}
	set := defaultSettings()
	set.AllowWithdrawTask = demo.withdraw
	if demo.title != "" {
		set.TitleSetting = &TitleSetting{Enable: true, Title: demo.title}
	}
	in := ModelInput{Key: demo.key, Name: demo.name, Description: demo.description, Category: demo.category, BpmnXML: string(xml),
		FormType: FormBusiness, FormCustomCreatePath: demo.create, FormCustomViewPath: demo.view, ModelSettings: set}
	if demo.form != nil {
		form, err := demo.form()
		if err == nil {
			err = s.forms.Save(ctx, nil, &form)
		}
		if err != nil {
			return err
		}
		in.FormType, in.FormID = FormRecord, form.ID
	}
	model, err := s.addModel(ctx, in)
	if err != nil {
		return err
	}
	for _, rule := range demo.rules {
		options := rule.options
		if rule.role != "" {
			role, err := store.One[int64](ctx, sqlRoleByCode, store.Args{"code": rule.role})
			if err != nil {
				return fmt.Errorf("role %s: %w", rule.role, err)
			}
			options = []int64{role}
		}
		if _, err := s.createRule(ctx, ruleIn{ModelID: model, TaskDefinitionKey: rule.task, Type: rule.ruleType, Options: options}); err != nil {
			return err
		}
	}
	_, err = s.Deploy(ctx, model)
	return err
}
